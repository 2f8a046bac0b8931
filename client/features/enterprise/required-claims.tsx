import { Plus, X } from 'lucide-react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, MachineArea } from '../../ui/field.tsx'
import type { Mapping } from './manager.ts'
import { ssoTexts } from './texts.ts'

/** A claim while it is edited. Values have a line each, because names of groups contain commas. */
export interface RequiredClaim {
  key: number
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
  const change = (key: number, changed: Partial<RequiredClaim>) =>
    onClaims(claims.map((claim) => (claim.key === key ? { ...claim, ...changed } : claim)))
  const add = () =>
    onClaims([...claims, { key: Math.max(-1, ...claims.map(({ key }) => key)) + 1, name: '', values: '' }])
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">{t.requiredClaims}</legend>
      <p className="text-soft">{t.requiredClaimsHint}</p>
      {claims.map(({ key, name, values }) => (
        <div key={key} className="flex items-end gap-2 border-t pt-3">
          <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-2">
            <Field
              label={t.requiredClaim}
              autoComplete="off"
              dir="ltr"
              maxLength={256}
              value={name}
              onChange={(event) => change(key, { name: event.target.value })}
            />
            <MachineArea
              label={t.requiredValues}
              rows={2}
              value={values}
              onChange={(event) => change(key, { values: event.target.value })}
            />
          </div>
          <IconButton label={t.removeRequired(name)} onClick={() => onClaims(claims.filter((one) => one.key !== key))}>
            <X aria-hidden size={18} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={17} />
          {t.addRequired}
        </Button>
      </div>
    </fieldset>
  )
}
