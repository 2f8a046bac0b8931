import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'wouter'
import { auth, useMember } from '../../lib/api.ts'
import { inList } from '../../lib/in-list.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar, Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, SearchField, Table } from '../../ui/table.tsx'
import { Day } from '../../ui/time.tsx'
import { useRoleNames } from '../organization/current.tsx'
import { membersTexts } from '../organization/members.texts.ts'
import {
  type Detailed,
  MemberMenu,
  nameOfMember,
  type OrganizationMember,
  OrganizationMenu,
  useOwners,
} from './organization-actions.tsx'
import { organizationsTexts } from './organizations.texts.ts'
import { useMembersInWords } from './organizations.tsx'
import { useRights } from './rights.ts'
import { Trail } from './trail.tsx'

export default function OrganizationScreen() {
  const t = useTexts(organizationsTexts)
  const { id = '' } = useParams()
  const organization = useQuery(['adminOrganization', id], () => auth.admin.getOrganization({ query: { id } }))
  const { error } = organization
  if (error && (!organization.data || error.status === 404)) {
    return (
      <Page title={t.organization} trail={<Trail list="/admin/organizations" label={t.trail} title={t.title} />}>
        {error.status === 404 || error.status === 403 ? (
          <EmptyState action={<ButtonLink to="/admin/organizations">{t.title}</ButtonLink>}>
            {t.errors[error.code ?? ''] ?? t.somethingWrong}
          </EmptyState>
        ) : (
          <ErrorPanel error={error} errors={t.errors} onRetry={() => void organization.refetch()} />
        )}
      </Page>
    )
  }
  return (
    <Loaded
      of={organization}
      skeleton={
        <Section>
          <Skeleton lines={6} />
        </Section>
      }
    >
      {(data) => <OrganizationPage organization={data} />}
    </Loaded>
  )
}

function OrganizationPage({ organization }: { organization: Detailed }) {
  const t = useTexts(organizationsTexts)
  const inWords = useMembersInWords()
  const { name, logo, slug, memberCount, teams, invitations } = organization
  return (
    <Page
      title={name}
      trail={<Trail list="/admin/organizations" label={t.trail} title={t.title} />}
      picture={<Avatar name={name} image={logo} size={64} />}
      intro={
        <>
          <p className="wrap-anywhere">{slug}</p>
          <p className="text-sm">{inWords(memberCount)}</p>
        </>
      }
      actions={<OrganizationMenu organization={organization} />}
    >
      <Section title={t.details}>
        <Facts organization={organization} />
      </Section>
      <Section title={t.membersTitle}>
        <Members organization={organization} />
      </Section>
      {teams !== null && (
        <Section title={t.teams}>
          {teams.length === 0 ? (
            <p className="text-soft">{t.noTeams}</p>
          ) : (
            <ul className="flex flex-wrap gap-2">
              {teams.map(({ id, name }) => (
                <li key={id} className="rounded-full border px-3 py-1 text-sm wrap-anywhere">
                  {name}
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
      <Section title={t.invitations}>
        {invitations.length === 0 ? (
          <p className="text-soft">{t.noInvitations}</p>
        ) : (
          <Invitations invitations={invitations} />
        )}
      </Section>
    </Page>
  )
}

function Facts({ organization }: { organization: Detailed }) {
  const t = useTexts(organizationsTexts)
  const owners = useOwners(organization)
  const language = useLanguage()
  const facts: [label: string, value: ReactNode][] = [
    [t.owners, owners.length > 0 ? inList(owners.map(nameOfMember), language) : t.noOwner],
    [t.slug, organization.slug],
    [t.created, <Day key="created" date={organization.createdAt} />],
    [t.id, <code key="id">{organization.id}</code>],
  ]
  return <FactList facts={facts} />
}

/** Search is shown for more than 8 members. */
const longList = 8

function Members({ organization }: { organization: Detailed }) {
  const t = useTexts(organizationsTexts)
  const { you } = useTexts(membersTexts)
  const names = useRoleNames()
  const language = useLanguage()
  const { may } = useRights()
  const { user: me } = useMember()
  const { members, memberCount } = organization
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = members.filter(({ user }) => `${user.name} ${user.email}`.toLowerCase().includes(words))
  const mayOpen = may({ user: ['list'] })
  const columns: (Column<OrganizationMember> | false)[] = [
    {
      key: 'person',
      label: t.person,
      lead: true,
      cell: (member) => (
        <span className="flex min-w-0 items-center gap-3">
          <Avatar name={nameOfMember(member)} image={member.user.image} />
          <span className="min-w-0 text-start sm:min-w-44">
            <span className="flex items-center gap-x-2">
              {mayOpen ? (
                <Link
                  href={`/admin/users/${member.userId}`}
                  className="min-w-0 font-medium underline decoration-line underline-offset-4"
                >
                  <Cut>{nameOfMember(member)}</Cut>
                </Link>
              ) : (
                <Cut className="font-medium">{nameOfMember(member)}</Cut>
              )}
              {member.userId === me.id && <Badge tone="accent">{you}</Badge>}
            </span>
            <Cut className="text-soft">{member.user.email}</Cut>
          </span>
        </span>
      ),
    },
    { key: 'role', label: t.role, minor: true, cell: ({ role }) => <Cut>{names.all(role)}</Cut> },
    { key: 'joined', label: t.joined, minor: true, cell: ({ createdAt }) => <Day date={createdAt} short /> },
    may({ organization: ['update'] }) && {
      key: 'actions',
      label: '',
      align: 'end' as const,
      menu: true,
      cell: (member) => <MemberMenu organization={organization} member={member} />,
    },
  ]
  return (
    <>
      {members.length > longList && (
        <SearchField label={t.findMember} value={search} onChange={(event) => setSearch(event.target.value)} />
      )}
      {found.length > 0 ? (
        <Table caption={t.membersCaption} columns={columns} rows={found} first={50} rowKey={({ id }) => id} compact />
      ) : (
        <p role="status" className="text-soft">
          {t.noMembers}
        </p>
      )}
      {memberCount > members.length && (
        <p className="text-soft">{t.onlyFirst(members.length.toLocaleString(language))}</p>
      )}
    </>
  )
}

function Invitations({ invitations }: Pick<Detailed, 'invitations'>) {
  const t = useTexts(organizationsTexts)
  const names = useRoleNames()
  const columns: Column<Detailed['invitations'][number]>[] = [
    {
      key: 'email',
      label: t.email,
      lead: true,
      cell: ({ email, role }) => (
        <span className="grid grid-cols-1">
          <Cut>{email}</Cut>
          <Cut className="text-soft sm:hidden">{names.all(role ?? 'member')}</Cut>
        </span>
      ),
    },
    { key: 'role', label: t.role, minor: true, cell: ({ role }) => <Cut>{names.all(role ?? 'member')}</Cut> },
    { key: 'by', label: t.invitedBy, minor: true, cell: ({ inviterName }) => <Cut>{inviterName}</Cut> },
    { key: 'until', label: t.validUntil, cell: ({ expiresAt }) => <Day date={expiresAt} short /> },
  ]
  return (
    <Table
      caption={t.invitationsCaption}
      columns={columns}
      rows={invitations}
      rowKey={({ email, createdAt }) => `${email} ${createdAt.getTime()}`}
      first={50}
      compact
    />
  )
}
