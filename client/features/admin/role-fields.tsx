import { roleField } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { useAdminRules, useRights } from './rights.ts'
import { useRoleNames } from './role-names.ts'
import { adminTexts } from './texts.ts'

/** The roles, without those that the administrator may not grant, unless the user has them. */
export function RoleFields({ held, error }: { held: string[]; error: string | undefined }) {
  const t = useTexts(adminTexts)
  const { roles } = useAdminRules()
  const { mayGrant } = useRights()
  const names = useRoleNames()
  const shown = Object.keys(roles).filter((role) => mayGrant(role) || held.includes(role))
  return (
    <fieldset className="grid gap-2" aria-invalid={error ? true : undefined} tabIndex={error ? -1 : undefined}>
      <legend className="mb-1.5 font-medium">{t.roles}</legend>
      {shown.map((role) => (
        <Checkbox key={role} name={roleField(role)} label={names.one(role)} defaultChecked={held.includes(role)} />
      ))}
      {error && <p className="text-danger">{error}</p>}
    </fieldset>
  )
}
