import { splitRoles } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { hosted } from '../../lib/deployment.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, type Invitation, TeamName, useRoleNames, WhyNot, WithOrganization } from './current.tsx'
import { InviteButton } from './invite.tsx'
import { organizationTexts } from './texts.ts'

const invitationsTexts = defineTexts('organizationInvitations', {
  invitationsTitle: 'Invitations',
  invitationsIntro: 'People who have been invited and have not answered yet.',
  invitationsCaption: 'Open invitations',
  noInvitations: 'There are no open invitations.',
  earlier: 'Earlier invitations ({count})',
  earlierCaption: 'Earlier invitations',
  statuses: {
    pending: 'Open',
    expired: 'Expired',
    accepted: 'Accepted',
    rejected: 'Declined',
    canceled: 'Withdrawn',
  } as Record<string, string>,
  copyLink: 'Copy link',
  linkCopied: 'The link has been copied.',
  resend: 'Send again',
  resent: 'We sent a new invitation to {email}.',
  withdraw: 'Withdraw',
  withdrawQuestion: 'Withdraw the invitation to {email}?',
  withdrawWhat: 'The link in the email stops working.',
  withdrawn: 'The invitation has been withdrawn.',
})

export default function Invitations() {
  const t = useTexts(invitationsTexts)
  return (
    <WithOrganization wide title={t.invitationsTitle} intro={t.invitationsIntro}>
      {(current) => <InvitationsPage {...current} />}
    </WithOrganization>
  )
}

const isOpen = ({ status }: Invitation) => status === 'pending'
const hasExpired = ({ expiresAt }: Invitation) => expiresAt.getTime() <= Date.now()
/** Members who may not grant the role see a placeholder for the id, which is a secret. */
const knowsId = ({ may, mayGrant }: Current, { role }: Invitation) =>
  may({ invitation: ['create'] }) && mayGrant(role ?? 'member')
const newestFirst = (list: Invitation[]) => [...list].reverse()

function InvitationsPage(current: Current) {
  const t = useTexts(invitationsTexts)
  const { organization, may } = current
  const open = newestFirst(organization.invitations.filter(isOpen))
  const earlier = newestFirst(organization.invitations.filter((invitation) => !isOpen(invitation)))
  const invite = <InviteButton {...current} />
  const columns = useColumns(current)
  return (
    <Page wide title={t.invitationsTitle} intro={t.invitationsIntro} actions={open.length > 0 && invite}>
      {open.length > 0 ? (
        <Section>
          <Table
            caption={t.invitationsCaption}
            columns={columns.open}
            rows={open}
            first={50}
            rowKey={({ id }) => id}
            compact
          />
        </Section>
      ) : (
        <EmptyState action={invite}>{t.noInvitations}</EmptyState>
      )}
      {!may({ invitation: ['create'] }) && <WhyNot wanted={{ invitation: ['create', 'cancel'] }} />}
      {earlier.length > 0 && (
        <details>
          <summary className="min-h-10 cursor-pointer py-2 font-medium">{t.earlier(earlier.length)}</summary>
          <Section>
            <Table
              caption={t.earlierCaption}
              columns={columns.earlier}
              rows={earlier}
              rowKey={({ id }) => id}
              compact
            />
          </Section>
        </details>
      )}
    </Page>
  )
}

function useColumns(current: Current): Record<'open' | 'earlier', Column<Invitation>[]> {
  const t = useTexts(invitationsTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  const email: Column<Invitation> = {
    key: 'email',
    label: org.email,
    lead: true,
    cell: ({ email, role }) => (
      <span className="grid grid-cols-1">
        <Cut className="font-medium">{email}</Cut>
        <Cut className="text-soft sm:hidden">{names.all(role ?? '')}</Cut>
      </span>
    ),
  }
  const role: Column<Invitation> = {
    key: 'role',
    label: org.role,
    minor: true,
    cell: (invitation) => names.all(invitation.role ?? ''),
  }
  const teams = current.organization.teams
  const team: Column<Invitation>[] = teams
    ? [
        {
          key: 'team',
          label: org.team,
          minor: true,
          cell: ({ teamId }) => <TeamName team={teams.find(({ id }) => id === teamId)} />,
        },
      ]
    : []
  const expires: Column<Invitation> = {
    key: 'expires',
    label: org.expires,
    cell: (invitation) =>
      hasExpired(invitation) ? <Badge tone="danger">{t.statuses.expired}</Badge> : <Time date={invitation.expiresAt} />,
  }
  const status: Column<Invitation> = {
    key: 'status',
    label: t.status,
    cell: (invitation) => (
      <Badge tone={invitation.status === 'accepted' ? 'success' : 'neutral'}>{t.statuses[invitation.status]}</Badge>
    ),
  }
  const actions: Column<Invitation> = {
    key: 'actions',
    label: '',
    align: 'end',
    menu: true,
    cell: (invitation) => knowsId(current, invitation) && <Actions invitation={invitation} {...current} />,
  }
  const acts = current.organization.invitations.some((invitation) => knowsId(current, invitation))
  return { open: [email, role, ...team, expires, ...(acts ? [actions] : [])], earlier: [email, role, status] }
}

function Actions({ invitation, organization, may }: Current & { invitation: Invitation }) {
  const t = useTexts(invitationsTexts)
  const org = useTexts(organizationTexts)
  const { id, email, role, teamId } = invitation
  const mayCancel = may({ invitation: ['cancel'] })
  const resend = useAction(
    () =>
      auth.organization.inviteMember({
        email,
        role: splitRoles(role ?? 'member'),
        organizationId: organization.id,
        resend: true,
        ...(teamId ? { teamId } : {}),
      }),
    () => toast(t.resent(email)),
  )
  const link = linkTo(id, useConfig().organization?.invitationPage)
  return (
    <span className="ms-auto grid justify-items-end gap-2">
      <ConfirmDestroy
        title={t.withdrawQuestion(email)}
        action={t.withdraw}
        errors={org.errors}
        send={() => auth.organization.cancelInvitation({ invitationId: id })}
        done={() => toast(t.withdrawn)}
        trigger={(ask) => (
          <Menu label={org.actionsFor(email)}>
            {!hasExpired(invitation) && (
              <MenuButton onClick={() => void navigator.clipboard.writeText(link).then(() => toast(t.linkCopied))}>
                {t.copyLink}
              </MenuButton>
            )}
            <MenuButton onClick={resend.run}>{t.resend}</MenuButton>
            {mayCancel && (
              <MenuButton danger onClick={ask}>
                {t.withdraw}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.withdrawWhat}
      </ConfirmDestroy>
      {resend.error && (
        <ErrorPanel error={resend.error} errors={{ ...org.errors, TOO_MANY_REQUESTS: org.tooManyInvitations }} />
      )}
    </span>
  )
}

/** The link of an invitation mail. @param page the product's page for invitations */
function linkTo(id: string, page = '/accept-invitation'): string {
  const link = new URL(hosted(page))
  link.searchParams.set('id', id)
  return link.href
}
