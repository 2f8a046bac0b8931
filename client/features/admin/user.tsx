import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { auth, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { givenReason } from '../../lib/ban-reason.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Words } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar, Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Note, Skeleton } from '../../ui/state.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { useRoleNames as useMemberRoleNames } from '../organization/current.tsx'
import { useMethodNames } from '../session/labels.ts'
import { isBanned, nameOf, useAdminRules, useRights } from './rights.ts'
import { useRoleNames } from './role-names.ts'
import { StateBadge } from './state-badge.tsx'
import { adminTexts, type AdminTexts as Texts } from './texts.ts'
import { Trail } from './trail.tsx'
import { UserMenu } from './user-actions.tsx'
import { EndSessions, UserSessions, useUserSessions } from './user-sessions.tsx'
import { UserTimeline, useUserTimeline } from './user-timeline.tsx'

type Detailed = AnswerOf<'/admin/get-user'>

interface About {
  organizations?: { id: string; name: string; role: string }[]
  passkeys?: { id: string; name: string | null; createdAt: Date; lastUsedAt: Date | null }[]
  apiKeys?: KeyInfo[]
  /** The last use first. */
  signInMethods?: { method: string; lastUsedAt: Date }[]
}

interface KeyInfo {
  id: string
  name: string | null
  start: string | null
  enabled: boolean
  remaining: number | null
  lastRequest: Date | null
  expiresAt: Date | null
}

export default function User() {
  const { id = '' } = useParams()
  const { may } = useRights()
  const person = useQuery(['adminUser', id], () => auth.admin.getUser({ query: { id } }))
  // Their parts of the page read them again, from the same views.
  useUserTimeline(id)
  useUserSessions(id, may({ session: ['list'] }))
  if (person.error && (!person.data || person.error.status === 404)) {
    return <NotShown error={person.error} onRetry={() => void person.refetch()} />
  }
  return (
    <Loaded
      of={person}
      skeleton={
        <Section>
          <Skeleton lines={6} />
        </Section>
      }
    >
      {(user) => <Person user={user} />}
    </Loaded>
  )
}

/** A user who does not exist or could not be loaded. */
function NotShown({ error, onRetry }: { error: AuthError; onRetry(): void }) {
  const t = useTexts(adminTexts)
  return (
    <Page title={t.person}>
      {error.status === 404 ? (
        <EmptyState action={<ButtonLink to="/admin/users">{t.clearSearch}</ButtonLink>}>
          {t.errors.USER_NOT_FOUND}
        </EmptyState>
      ) : (
        <ErrorPanel error={error} errors={t.errors} onRetry={onRetry} />
      )}
    </Page>
  )
}

function Person({ user }: { user: Detailed }) {
  const t = useTexts(adminTexts)
  const { may, mayGrant } = useRights()
  const { user: me } = useMember()
  const isMe = user.id === me.id
  // Administrators act only on users whose permissions they have themselves.
  const memberRoles = useMemberRoleNames()
  const inReach = mayGrant(user.role ?? '')
  const mayRevoke = inReach && may({ session: ['revoke'] })
  const about = user.about as About
  const methodOf = useMethodNames()
  const lists: [title: string, none: string, rows: Row[] | undefined][] = [
    [
      t.accounts,
      t.noAccounts,
      user.accounts.map(({ id, providerId, accountId, createdAt }) => ({
        id,
        name: providerId === 'credential' ? t.password : (methodOf(providerId) ?? providerId),
        detail: providerId === 'credential' ? null : accountId,
        end: <Day date={createdAt} />,
      })),
    ],
    [
      t.passkeys,
      t.noPasskeys,
      about.passkeys?.map(({ id, name, lastUsedAt, createdAt }) => ({
        id,
        name: name ?? t.unnamedPasskey,
        detail: null,
        end: lastUsedAt ? <LastUse date={lastUsedAt} /> : <Day date={createdAt} />,
      })),
    ],
    [t.apiKeys, t.noApiKeys, about.apiKeys?.map((key) => keyRow(key, t))],
    [
      t.organizations,
      t.noOrganizations,
      about.organizations?.map(({ id, name, role }) => ({ id, name, detail: null, end: memberRoles.all(role) })),
    ],
  ]
  const empty = lists.filter(([, , rows]) => rows?.length === 0)
  return (
    <Page
      wide
      title={nameOf(user)}
      trail={<Trail list="/admin/users" label={t.trail} title={t.usersTitle} />}
      picture={<Avatar name={nameOf(user)} image={user.image} size={64} />}
      intro={<Intro user={user} />}
      actions={<UserMenu user={user} inReach={inReach} isMe={isMe} />}
    >
      {isBanned(user) && <BanNote user={user} />}
      {isMe && <Note>{t.yourself}</Note>}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <UserTimeline userId={user.id} />
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Section title={t.profile}>
            <Profile user={user} />
          </Section>
          {may({ session: ['list'] }) && (
            <Section title={t.sessions} action={mayRevoke && <EndSessions user={user} />}>
              <UserSessions user={user} mayRevoke={mayRevoke} />
            </Section>
          )}
          {lists.map(
            ([title, , rows]) =>
              rows &&
              rows.length > 0 && (
                <Section key={title} title={title}>
                  <Rows rows={rows} />
                </Section>
              ),
          )}
          {empty.length > 0 && <p className="text-soft">{empty.map(([, none]) => none).join(' ')}</p>}
        </div>
      </div>
    </Page>
  )
}

function Intro({ user }: { user: Detailed }) {
  const t = useTexts(adminTexts)
  const { defaultRole } = useAdminRules()
  const names = useRoleNames()
  const roles = splitRoles(user.role ?? '').filter((role) => role !== defaultRole)
  const { signInMethods = [] } = user.about as About
  const last = signInMethods[0]
  return (
    <div className="grid gap-1.5">
      {!isPlaceholder(user.email) && (
        <p>
          <Words>{user.email}</Words>
        </p>
      )}
      <p className="flex flex-wrap gap-2">
        <StateBadge user={user} />
        {roles.map((role) => (
          <Badge key={role} tone="accent">
            {names.one(role)}
          </Badge>
        ))}
        {user.twoFactorEnabled && <Badge>{t.twoFactor}</Badge>}
      </p>
      <p className="text-sm">
        {last ? (
          <>
            {t.lastSignIn} <Time date={last.lastUsedAt} />
          </>
        ) : (
          t.neverSignedIn
        )}
      </p>
    </div>
  )
}

function LastUse({ date }: { date: Date }) {
  const t = useTexts(adminTexts)
  return (
    <>
      {t.lastUsed} <Time date={date} />
    </>
  )
}

function keyRow({ id, name, start, enabled, remaining, lastRequest, expiresAt }: KeyInfo, t: Texts): Row {
  const isOver = expiresAt !== null && expiresAt.getTime() <= Date.now()
  const state = isOver ? t.keyExpired : !enabled ? t.keyDisabled : remaining === null ? null : t.keyRemaining(remaining)
  return {
    id,
    name: name ?? t.unnamedKey,
    detail: [start && `${start}…`, state].filter(Boolean).join(' · '),
    end: lastRequest ? <LastUse date={lastRequest} /> : t.neverUsed,
  }
}

function BanNote({ user }: { user: Detailed }) {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const reason = givenReason(user.banReason)
  return (
    <Note tone="danger">
      <p className="font-medium wrap-anywhere">{reason ? t.bannedFor(reason) : t.banned}</p>
      <p>
        {user.banExpires ? (
          <time dateTime={user.banExpires.toISOString()}>
            {t.bannedUntil(user.banExpires.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }))}
          </time>
        ) : (
          t.bannedForGood
        )}
      </p>
    </Note>
  )
}

function Profile({ user }: { user: Detailed }) {
  const t = useTexts(adminTexts)
  const names = useRoleNames()
  const yesOrNo = (is: boolean | null | undefined) => (is ? t.yes : t.no)
  const facts: [label: string, value: ReactNode][] = [
    [t.role, names.all(user.role)],
    [t.twoFactor, yesOrNo(user.twoFactorEnabled)],
    [t.joined, <Day key="joined" date={user.createdAt} />],
    [t.id, <code key="id">{user.id}</code>],
  ]
  return <FactList facts={facts} />
}

interface Row {
  id: string
  name: string
  detail: string | null
  end: ReactNode
}

function Rows({ rows }: { rows: Row[] }) {
  return (
    <ul className="grid gap-3">
      {rows.map(({ id, name, detail, end }) => (
        <li key={id} className="grid grid-cols-1 border-b pb-3 last:border-b-0 last:pb-0">
          <Cut>{name}</Cut>
          <span className="flex justify-between gap-x-4 text-soft">
            {detail && <Cut>{detail}</Cut>}
            <span className="min-w-0 flex-none">{end}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
