import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { useRoleNames, useRules } from './current.tsx'
import { membersTexts } from './members.texts.ts'
import { organizationTexts } from './texts.ts'

/** The form field of one role. */
export const roleField = (role: string) => `role-${role}`

/** The roles that a form's checkboxes have chosen. */
export const chosenRoles = (values: Record<string, string>, known: string[]): string[] =>
  known.filter((role) => values[roleField(role)] === 'on')

interface RoleChoiceProps {
  checked: string[]
  /** Whether the person may give a role, and take it away. */
  mayGrant(role: string): boolean
  error?: string | undefined
}

/** One checkbox a role, because one person may have several. */
export function RoleChoice({ checked, mayGrant, error }: RoleChoiceProps) {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  const { roles, creatorRole } = useRules()
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-medium">{org.roles}</legend>
      {Object.keys(roles).map((role) => {
        const locked = !mayGrant(role)
        const why = role === creatorRole ? t.ownerOnly : t.moreThanYours
        return (
          <Checkbox
            key={role}
            name={roleField(role)}
            label={names.one(role)}
            defaultChecked={checked.includes(role)}
            disabled={locked}
            hint={locked ? why : undefined}
          />
        )
      })}
      {error && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
