import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { splitRoles } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/page.tsx'
import { Avatar, Badge } from '../../ui/small.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, SearchField, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, type Member, TeamName, useRoleNames, useRules, WhyNot, WithOrganization } from './current.tsx'
import { InviteButton } from './invite.tsx'
import { membersTexts } from './members.texts.ts'
import { chosenRoles, RoleChoice, roleField } from './role-choice.tsx'
import { organizationTexts } from './texts.ts'

export default function Members() {
  const t = useTexts(membersTexts)
  return <WithOrganization title={t.membersTitle}>{(current) => <MembersPage {...current} />}</WithOrganization>
}

/** A search is worth its place when the list is longer than a look. */
const longList = 8

function MembersPage(current: Current) {
  const t = useTexts(membersTexts)
  const { organization, may } = current
  const columns = useColumns(current)
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = organization.members.filter(({ user }) => `${user.name} ${user.email}`.toLowerCase().includes(words))
  return (
    <Page
      title={t.membersTitle}
      intro={t.membersIntro(organization.members.length)}
      actions={<InviteButton {...current} />}
    >
      <Section>
        {organization.members.length > longList && (
          <SearchField label={t.searchMembers} value={search} onChange={(event) => setSearch(event.target.value)} />
        )}
        {found.length > 0 ? (
          <Table caption={t.membersCaption} columns={columns} rows={found} rowKey={(member) => member.id} />
        ) : (
          <p role="status" className="text-soft">
            {t.nobodyFound}
          </p>
        )}
        {!may({ member: ['update'] }) && <WhyNot wanted={{ member: ['update', 'delete'] }} />}
      </Section>
    </Page>
  )
}

function useColumns(current: Current): Column<Member>[] {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  const { organization, me, may } = current
  const teams = organization.teams
  const columns: (Column<Member> | false)[] = [
    {
      key: 'person',
      label: t.person,
      lead: true,
      cell: ({ id, user }) => (
        <span className="flex min-w-0 items-center gap-3">
          <Avatar name={user.name || user.email} image={user.image} />
          <span className="min-w-0 text-start sm:min-w-44">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-medium">{user.name}</span>
              {id === me.id && <Badge tone="accent">{t.you}</Badge>}
            </span>
            <span className="block text-soft">{user.email}</span>
          </span>
        </span>
      ),
    },
    { key: 'role', label: org.role, cell: ({ role }) => names.all(role) },
    teams !== null && {
      key: 'team',
      label: org.team,
      cell: ({ teamId }) => <TeamName team={teams.find(({ id }) => id === teamId)} />,
    },
    {
      key: 'joined',
      label: t.joined,
      cell: ({ createdAt }) => <Time date={createdAt} />,
    },
    (may({ member: ['update'] }) || may({ member: ['delete'] })) && {
      key: 'actions',
      label: '',
      align: 'end' as const,
      menu: true,
      cell: (member) => <Actions member={member} {...current} />,
    },
  ]
  return columns.filter((column) => column !== false)
}

function Actions({ member, organization, me, may, mayGrant }: Current & { member: Member }) {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const [changing, setChanging] = useState(false)
  const { name, email } = member.user
  const person = name || email
  // Nobody changes a member who may do more than they may; oneself one leaves, in the settings.
  const outOfReach = !mayGrant(member.role)
  const mayChange = may({ member: ['update'] }) && !outOfReach
  const mayRemove = may({ member: ['delete'] }) && !outOfReach && member.id !== me.id
  if (!mayChange && !mayRemove) return null
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.removeQuestion(person)}
        action={t.remove}
        errors={org.errors}
        send={() => auth.organization.removeMember({ memberIdOrEmail: member.id, organizationId: organization.id })}
        done={() => toast(t.removed(person))}
        trigger={(ask) => (
          <Menu button={<MoreHorizontal aria-hidden size={18} />} label={org.actionsFor(person)}>
            {mayChange && <MenuButton onClick={() => setChanging(true)}>{t.changeRole}</MenuButton>}
            {mayRemove && (
              <MenuButton danger onClick={ask}>
                {t.remove}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.removeWhat(person, organization.name)}
      </ConfirmDestroy>
      <Dialog open={changing} title={t.changeRoleOf(person)} onClose={() => setChanging(false)}>
        <RoleForm
          member={member}
          organizationId={organization.id}
          mayGrant={mayGrant}
          close={() => setChanging(false)}
          done={() => {
            setChanging(false)
            toast(t.roleChanged(person))
          }}
        />
      </Dialog>
    </span>
  )
}

interface RoleFormProps {
  member: Member
  organizationId: string
  mayGrant(role: string): boolean
  close(): void
  done(): void
}

function RoleForm({ member, organizationId, mayGrant, close, done }: RoleFormProps) {
  const t = useTexts(organizationTexts)
  const { save } = useTexts()
  const known = Object.keys(useRules().roles)
  const first = roleField(known[0] ?? '')
  const form = useForm({
    fields: known.map(roleField),
    check: (values) => ({ [first]: chosenRoles(values, known).length === 0 && t.roleRequired }),
    send: (values) =>
      auth.organization.updateMemberRole({ memberId: member.id, role: chosenRoles(values, known), organizationId }),
    errors: t.errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <RoleChoice checked={splitRoles(member.role)} mayGrant={mayGrant} error={form.field(first).error} />
      <Submit form={form} onCancel={close}>
        {save}
      </Submit>
    </form>
  )
}
