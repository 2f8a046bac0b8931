import { useEffect, useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Member, useRoleNames, useRules } from './current.tsx'
import { memberListTexts } from './member-list.texts.ts'
import { membersTexts } from './members.texts.ts'
import { nameOf } from './person.tsx'
import { organizationTexts } from './texts.ts'

interface RoleSelectProps {
  member: Member
  organizationId: string
  mayGrant(role: string): boolean
  /** Opens the dialog for several roles, with the present ones. */
  onSeveral(roles: string): void
}

const several = ' several'

/** The role of a member in the list: a change is saved immediately and can be undone. */
export function RoleSelect({ member, organizationId, mayGrant, onSeveral }: RoleSelectProps) {
  const t = useTexts(memberListTexts)
  const members = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  const known = Object.keys(useRules().roles)
  const person = nameOf(member)
  // Shown until the list has loaded again.
  const [chosen, setChosen] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the role has arrived
  useEffect(() => setChosen(null), [member.role])
  const change = useAction(
    async (role: string, _previous: string | null) => {
      setChosen(role)
      const result = await auth.organization.updateMemberRole({
        memberId: member.id,
        role: splitRoles(role),
        organizationId,
      })
      if (result.error) setChosen(null)
      return result
    },
    (_answer, _role, previous) =>
      previous === null
        ? toast(t.undone(person))
        : toast(members.roleChanged(person), { label: t.undo, run: () => change.run(previous, null) }),
  )
  const current = chosen ?? member.role
  return (
    <span className="grid w-full gap-2 sm:min-w-48">
      <select
        aria-label={t.roleOf(person)}
        value={current}
        aria-busy={change.busy || undefined}
        onChange={({ target }) => (target.value === several ? onSeveral(current) : change.run(target.value, current))}
        className="control"
      >
        {!known.includes(current) && <option value={current}>{names.all(current)}</option>}
        {known.map((role) => (
          <option key={role} value={role} disabled={!mayGrant(role)}>
            {names.one(role)}
          </option>
        ))}
        {known.length > 1 && <option value={several}>{t.several}</option>}
      </select>
      {change.error && <ErrorPanel error={change.error} errors={org.errors} />}
    </span>
  )
}
