import { ChevronRight } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { mayDo, mayGrant, type Permissions, splitRoles } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { auth, type Config, useConfig, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { inList } from '../../lib/in-list.ts'
import { rolesThatCan } from '../../lib/permissions.ts'
import { refreshQueries, useActiveOrganization, useOrganizations, useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Note, Skeleton } from '../../ui/state.tsx'
import { lostTexts } from './organization-lost.texts.ts'
import { organizationTexts } from './texts.ts'

export type Organization = NonNullable<AnswerOf<'/organization/get-full-organization'>>
export type Member = Organization['members'][number]
export type Invitation = Organization['invitations'][number]
export type Team = NonNullable<Organization['teams']>[number]

type Rules = NonNullable<Config['organization']>

const unknownRules: Rules = {
  roles: {},
  creatorRole: 'owner',
  deletable: true,
  creatable: true,
  invitationPage: '/accept-invitation',
}

export const useRules = (): Rules => useConfig().organization ?? unknownRules

export interface Current {
  organization: Organization
  me: Member
  may(wanted: Permissions): boolean
  /** Whether the user may grant and revoke these roles. */
  mayGrant(roles: string): boolean
  isOwner: boolean
}

export function useRoleNames() {
  const t = useTexts(organizationTexts)
  const language = useLanguage()
  const one = (role: string) => (Object.hasOwn(t.roleNames, role) ? (t.roleNames[role] as string) : role)
  return { one, all: (roles: string) => inList(splitRoles(roles).map(one), language) }
}

export function TeamName({ team }: { team: Team | undefined }) {
  const t = useTexts(organizationTexts)
  return <Cut>{team?.name ?? t.noTeam}</Cut>
}

/** The organizations that the user has left or deleted: their end is expected. */
export const endedByUser = new Set<string>()

interface WithOrganizationProps extends Pick<ComponentProps<typeof Page>, 'title' | 'intro' | 'wide' | 'tabs'> {
  children: (current: Current) => ReactNode
}

/** A screen about the active organization, with a choice while none is active. The head is the one of the screen. */
export function WithOrganization({ children, ...head }: WithOrganizationProps) {
  const view = useActiveOrganization()
  const { user, session } = useMember()
  const { roles, creatorRole } = useRules()
  const t = useTexts(organizationTexts)
  const [known, setKnown] = useState<{ id: string; name: string } | null>(null)
  const { activeOrganizationId } = session
  const settled = !view.isPending && !view.isRefetching
  const isGone = (status: number | undefined) => status === 403 || status === 404
  // The user was removed, or the organization deleted: the session has changed, past the cookie that caches it.
  const lost = isGone(view.error?.status) || (settled && !view.error && !view.data && Boolean(activeOrganizationId))
  useEffect(() => {
    if (!lost) return
    void auth.$session.refetch(true)
    refreshQueries('organizations')
  }, [lost])
  const organization = lost || !activeOrganizationId ? null : view.data
  useEffect(() => {
    if (organization) setKnown({ id: organization.id, name: organization.name })
  }, [organization])
  const listed = organization?.members.find(({ userId }) => userId === user.id)
  // The answer has a limited number of members.
  const isUnlisted = organization !== null && organization !== undefined && !listed
  const own = useQuery(
    ['activeMember', activeOrganizationId ?? null],
    () => auth.organization.getActiveMember(),
    isUnlisted,
  )
  const me = listed ?? (isUnlisted ? own.data : null)
  if (organization && me) {
    const may = (wanted: Permissions) => mayDo(roles, me.role, wanted)
    return children({
      organization,
      me,
      may,
      mayGrant: (given) => mayGrant(roles, creatorRole, me.role, given),
      isOwner: splitRoles(me.role).includes(creatorRole),
    })
  }
  return (
    <Page {...head}>
      {view.isPending || (isUnlisted && own.isPending) || (view.isRefetching && !lost && !known) ? (
        <Skeleton lines={5} />
      ) : view.error && !lost ? (
        <ErrorPanel error={view.error} errors={t.errors} onRetry={() => void view.refetch()} />
      ) : (
        <Choose lost={known && !endedByUser.has(known.id) ? known.name : null} />
      )}
    </Page>
  )
}

/** Without an active organization: a choice, or a first one. @param lost the name of one that has just ended */
function Choose({ lost }: { lost: string | null }) {
  const t = useTexts(organizationTexts)
  const lostText = useTexts(lostTexts).lost
  const list = useOrganizations()
  const { creatable } = useRules()
  const open = useAction((organizationId: string) => auth.organization.setActive({ organizationId }))
  const create = creatable && (
    <ButtonLink to="/organizations/new" look="primary">
      {t.create}
    </ButtonLink>
  )
  const note = lost && (
    <Note tone="warning" live>
      {lostText(lost)}
    </Note>
  )
  const none = (
    <>
      {note}
      <EmptyState action={create}>{t.noneYet}</EmptyState>
    </>
  )
  return (
    <Loaded of={list} errors={t.errors} empty={none}>
      {(organizations) => (
        <div className="grid grid-cols-1 gap-4">
          {note}
          <p className="text-soft">{t.choose}</p>
          {open.error && <ErrorPanel error={open.error} errors={t.errors} />}
          <ul className="grid gap-2">
            {organizations.map(({ id, name, slug, logo }) => (
              <li key={id} className="grid grid-cols-1">
                <button
                  type="button"
                  aria-disabled={open.busy || undefined}
                  onClick={() => !open.busy && open.run(id)}
                  className="flex items-center gap-3 rounded border bg-surface p-3 text-start hover:bg-sunken aria-disabled:opacity-60"
                >
                  <Avatar name={name} image={logo} />
                  <span className="min-w-0 flex-1">
                    <span className="sr-only">{t.open(name)}</span>
                    <span aria-hidden className="block font-medium wrap-anywhere">
                      {name}
                    </span>
                    <span className="block text-sm wrap-anywhere text-soft">{slug}</span>
                  </span>
                  <ChevronRight aria-hidden size={18} className="flex-none text-soft rtl:-scale-x-100" />
                </button>
              </li>
            ))}
          </ul>
          <div>{create}</div>
        </div>
      )}
    </Loaded>
  )
}

/** Replaces a button that the server would reject: the reason, and a link. */
export function WhyNot({ wanted }: { wanted: Permissions }) {
  const t = useTexts(organizationTexts)
  const { roles } = useRules()
  const names = useRoleNames()
  const language = useLanguage()
  const allowed = rolesThatCan(roles, wanted).map(names.one)
  const isRead = Object.values(wanted).every((actions) => actions.every((action) => action === 'read'))
  return (
    <p className="max-w-prose text-sm text-soft">
      {allowed.length > 0
        ? (isRead ? t.missingRead : t.missing)(new Intl.ListFormat(language, { type: 'disjunction' }).format(allowed))
        : isRead
          ? t.missingReadAll
          : t.missingAll}{' '}
      <Link href="/organization/settings#roles" className="link">
        {t.seeRoles}
      </Link>
    </p>
  )
}
