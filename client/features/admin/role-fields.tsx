import type { Values } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { useAdminRules, useRights } from './rights.ts'
import { adminTexts } from './texts.ts'

export const roleField = (role: string): string => `role-${role}`

export const chosenRoles = (values: Values<string>, known: string[]): string[] =>
  known.filter((role) => values[roleField(role)] === 'on')

/** Every role that there is; those that the signed-in person may not grant are left out unless they are held. */
export function RoleFields({ held, error }: { held: string[]; error: string | undefined }) {
  const t = useTexts(adminTexts)
  const { roles } = useAdminRules()
  const { mayGrant } = useRights()
  const shown = Object.keys(roles).filter((role) => mayGrant(role) || held.includes(role))
  return (
    <fieldset className="grid gap-2" aria-invalid={error ? true : undefined} tabIndex={error ? -1 : undefined}>
      <legend className="mb-1.5 font-medium">{t.roles}</legend>
      {shown.map((role) => (
        <Checkbox key={role} name={roleField(role)} label={role} defaultChecked={held.includes(role)} />
      ))}
      {error && <p className="text-danger">{error}</p>}
    </fieldset>
  )
}
