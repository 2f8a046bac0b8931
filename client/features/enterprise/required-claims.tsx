import { useTexts } from '../../lib/texts/texts.ts'
import { Field, MachineArea } from '../../ui/field.tsx'
import { type Keyed, KeyedRows } from './keyed-rows.tsx'
import type { Mapping } from './manager.ts'
import { ssoTexts } from './texts.ts'

/** A claim while it is edited. Values have a line each, because names of groups contain commas. */
export interface RequiredClaim extends Keyed {
  name: string
  values: string
}

export const requiredOf = ({ required = [] }: Partial<Mapping>): RequiredClaim[] =>
  required.map(({ name, values }, key) => ({ key, name, values: values.join('\n') }))

/** The claims for the request, without incomplete ones. */
export const toRequired = (claims: readonly RequiredClaim[]): { name: string; values: string[] }[] =>
  claims
    .map(({ name, values }) => ({ name: name.trim(), values: values.split('\n').flatMap((one) => one.trim() || []) }))
    .filter(({ name, values }) => name !== '' && values.length > 0)

interface Props {
  claims: RequiredClaim[]
  onClaims(claims: RequiredClaim[]): void
}

export function RequiredClaims({ claims, onClaims }: Props) {
  const t = useTexts(ssoTexts)
  return (
    <KeyedRows
      legend={t.requiredClaims}
      hint={t.requiredClaimsHint}
      rows={claims}
      onRows={onClaims}
      added={{ name: '', values: '' }}
      addLabel={t.addRequired}
      removeLabel={({ name }) => t.removeRequired(name)}
      fields={({ name, values }, change) => (
        <>
          <Field
            label={t.requiredClaim}
            autoComplete="off"
            dir="ltr"
            maxLength={256}
            value={name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <MachineArea
            label={t.requiredValues}
            rows={2}
            value={values}
            onChange={(event) => change({ values: event.target.value })}
          />
        </>
      )}
    />
  )
}
