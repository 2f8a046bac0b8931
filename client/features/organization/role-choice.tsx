import { roleField } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { useRoleNames, useRules } from './current.tsx'
import { membersTexts } from './members.texts.ts'
import { organizationTexts } from './texts.ts'

interface RoleChoiceProps {
  checked: string[]
  mayGrant(role: string): boolean
  error?: string | undefined
}

/** Checkboxes, because a member may have several roles. */
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
