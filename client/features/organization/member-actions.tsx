import { useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { chosenRoles, roleField } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, type Member, useRoleNames, useRules } from './current.tsx'
import { MemberTeams } from './member-teams.tsx'
import { membersTexts } from './members.texts.ts'
import { nameOf } from './person.tsx'
import { RoleChoice } from './role-choice.tsx'
import { RoleSelect } from './role-select.tsx'
import { organizationTexts } from './texts.ts'

type Props = Current & { member: Member }

/** What the user may do with a member: not with those who have more permissions; users leave through Settings. */
export function rightsOver({ member, organization, me, may, mayGrant }: Props) {
  const inReach = mayGrant(member.role)
  return {
    change: may({ member: ['update'] }) && inReach,
    remove: may({ member: ['delete'] }) && inReach && member.id !== me.id,
    chooseTeams: Boolean(organization.teams?.length) && may({ member: ['update', 'delete'] }) && inReach,
  }
}

/** The role of a member: a choice, or its name. Users change their own roles in the dialog. */
export function Role(props: Props) {
  const { member, organization, me, mayGrant } = props
  const names = useRoleNames()
  const [changing, setChanging] = useState<string | null>(null)
  if (!rightsOver(props).change || member.id === me.id) return names.all(member.role)
  return (
    <>
      <RoleSelect member={member} organizationId={organization.id} mayGrant={mayGrant} onSeveral={setChanging} />
      <RoleDialog {...props} roles={changing} close={() => setChanging(null)} />
    </>
  )
}

export function Actions(props: Props) {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const [changing, setChanging] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const { member, organization } = props
  const rights = rightsOver(props)
  const person = nameOf(member)
  if (!rights.change && !rights.remove && !rights.chooseTeams) return null
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.removeQuestion(person)}
        action={t.remove}
        errors={org.errors}
        send={() => auth.organization.removeMember({ memberIdOrEmail: member.id, organizationId: organization.id })}
        done={() => toast(t.removed(person))}
        trigger={(ask) => (
          <Menu label={org.actionsFor(person)}>
            {rights.change && <MenuButton onClick={() => setChanging(true)}>{t.changeRole}</MenuButton>}
            {rights.chooseTeams && <MenuButton onClick={() => setChoosing(true)}>{t.changeTeams}</MenuButton>}
            {rights.remove && (
              <MenuButton danger onClick={ask}>
                {t.remove}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.removeWhat(person, organization.name)}
      </ConfirmDestroy>
      <RoleDialog {...props} roles={changing ? member.role : null} close={() => setChanging(false)} />
      <Dialog open={choosing} title={t.teamsOf(person)} onClose={() => setChoosing(false)}>
        <MemberTeams member={member} organization={organization} close={() => setChoosing(false)} />
      </Dialog>
    </span>
  )
}

/** For several roles at once. @param roles those that are chosen; null closes it */
function RoleDialog({ roles, close, ...props }: Props & { roles: string | null; close(): void }) {
  const t = useTexts(membersTexts)
  const { name, email } = props.member.user
  return (
    <Dialog open={roles !== null} title={t.changeRoleOf(name || email)} onClose={close}>
      <RoleForm {...props} roles={roles ?? ''} close={close} />
    </Dialog>
  )
}

function RoleForm({ member, organization, mayGrant, roles, close }: Props & { roles: string; close(): void }) {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const known = Object.keys(useRules().roles)
  const first = roleField(known[0] ?? '')
  const form = useForm({
    fields: known.map(roleField),
    check: (values) => ({ [first]: chosenRoles(values, known).length === 0 && org.roleRequired }),
    send: (values) =>
      auth.organization.updateMemberRole({
        memberId: member.id,
        role: chosenRoles(values, known),
        organizationId: organization.id,
      }),
    errors: org.errors,
    done() {
      close()
      toast(t.roleChanged(nameOf(member)))
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <RoleChoice checked={splitRoles(roles)} mayGrant={mayGrant} error={form.field(first).error} />
      <Submit form={form} onCancel={close}>
        {org.save}
      </Submit>
    </form>
  )
}
