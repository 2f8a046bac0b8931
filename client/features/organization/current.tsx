import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, type Config, useConfig, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/types.ts'
import { can, mayGrant, type Permissions, rolesThatCan, splitRoles } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { organizationTexts } from './texts.ts'

export type Organization = NonNullable<AnswerOf<'/organization/get-full-organization'>>
export type Member = Organization['members'][number]
export type Invitation = Organization['invitations'][number]
export type Team = NonNullable<Organization['teams']>[number]

type Rules = NonNullable<Config['organization']>

const unknownRules: Rules = { roles: {}, creatorRole: 'owner', deletable: true, creatable: true }

/** What the server has said of its roles. */
export const useRules = (): Rules => useConfig().organization ?? unknownRules

export interface Current {
  organization: Organization
  /** The person's own membership. */
  me: Member
  may(wanted: Permissions): boolean
  /** Whether the person may give these roles to others, and take them away. */
  mayGrant(roles: string): boolean
  isOwner: boolean
}

/** The role as people call it; configured ones have the name that they have. */
export function useRoleNames() {
  const t = useTexts(organizationTexts)
  const one = (role: string) => (Object.hasOwn(t.roleNames, role) ? (t.roleNames[role] as string) : role)
  return { one, all: (roles: string) => splitRoles(roles).map(one).join(', ') }
}

/** A team in its column of a table; a dash for none. */
export function TeamName({ team }: { team: Team | undefined }) {
  const t = useTexts(organizationTexts)
  return <span className="block wrap-anywhere sm:min-w-24">{team?.name ?? t.noTeam}</span>
}

/** A screen about the open organization: what is shown until there is one, and when there is none. */
export function WithOrganization({ title, children }: { title: string; children: (current: Current) => ReactNode }) {
  const view = auth.useActiveOrganization()
  const { user, session } = useMember()
  const { roles, creatorRole } = useRules()
  const t = useTexts(organizationTexts)
  // Somebody has been removed, or the organization deleted: the session knows already that it is open no longer.
  const lost = view.error?.status === 403
  useEffect(() => {
    if (lost) auth.$notify('session', 'organizations')
  }, [lost])
  const organization = lost || !session.activeOrganizationId ? null : view.data
  const me = organization?.members.find(({ userId }) => userId === user.id)
  if (organization && me) {
    const may = (wanted: Permissions) => can(roles, me.role, wanted)
    return children({
      organization,
      me,
      may,
      mayGrant: (given) => mayGrant(roles, creatorRole, me.role, given),
      isOwner: splitRoles(me.role).includes(creatorRole),
    })
  }
  return (
    <Page title={title}>
      {view.isPending || (view.isRefetching && !lost) ? (
        <Skeleton lines={5} />
      ) : view.error && !lost ? (
        <ErrorPanel error={view.error} errors={t.errors} onRetry={() => void view.refetch()} />
      ) : (
        <Choose />
      )}
    </Page>
  )
}

/** No organization is open: those there are, or a first one. */
function Choose() {
  const t = useTexts(organizationTexts)
  const list = auth.useListOrganizations()
  const { creatable } = useRules()
  const open = useAction((organizationId: string) => auth.organization.setActive({ organizationId }))
  const create = creatable && (
    <ButtonLink to="/organizations/new" look="primary">
      {t.create}
    </ButtonLink>
  )
  return (
    <Loaded of={list} errors={t.errors}>
      {(organizations) =>
        organizations.length === 0 ? (
          <EmptyState action={create}>{t.noneYet}</EmptyState>
        ) : (
          <div className="grid grid-cols-1 gap-4">
            <p className="text-soft">{t.choose}</p>
            {open.error && <ErrorPanel error={open.error} errors={t.errors} />}
            <ul className="grid gap-2">
              {organizations.map(({ id, name, slug, logo }) => (
                <li key={id} className="flex flex-wrap items-center gap-3 rounded border bg-surface p-3">
                  <Avatar name={name} image={logo} />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium">{name}</span>
                    <span className="block truncate text-sm text-soft">{slug}</span>
                  </span>
                  <Button busy={open.busy} onClick={() => open.run(id)}>
                    {t.open(name)}
                  </Button>
                </li>
              ))}
            </ul>
            <div>{create}</div>
          </div>
        )
      }
    </Loaded>
  )
}

/** In the place of a button that would be refused: why, and where to read more. */
export function WhyNot({ wanted }: { wanted: Permissions }) {
  const t = useTexts(organizationTexts)
  const { roles } = useRules()
  const names = useRoleNames()
  const enough = rolesThatCan(roles, wanted).map(names.one)
  return (
    <p className="max-w-prose text-sm text-soft">
      {enough.length > 0 ? t.missing(enough) : t.missingAll}{' '}
      <Link href="/organization/roles" className="link">
        {t.seeRoles}
      </Link>
    </p>
  )
}
