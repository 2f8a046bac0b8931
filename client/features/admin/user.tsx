import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { auth, useMember } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { givenReason } from '../../lib/ban-reason.ts'
import { errorOf, unwrap } from '../../lib/call-error.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { queryClient } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Note, Skeleton } from '../../ui/state.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { AuditList } from './audit-list.tsx'
import { DialogButton, EditForm } from './dialogs.tsx'
import { isBanned, type ManagedUser, nameOf, useRights } from './rights.ts'
import { StateBadge } from './state-badge.tsx'
import { adminTexts, type AdminTexts as Texts } from './texts.ts'
import { Actions, Danger } from './user-actions.tsx'
import { UserSessions } from './user-sessions.tsx'

interface Detailed extends ManagedUser {
  accounts: { id: string; providerId: string; accountId: string; createdAt: Date }[]
  /** What the features that are on keep for the person. */
  about: {
    organizations?: { id: string; name: string; role: string }[]
    passkeys?: { id: string; name: string | null; createdAt: Date; lastUsedAt: Date | null }[]
    apiKeys?: KeyInfo[]
  }
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

/** All that there is about one person, and what can be done. */
export default function User() {
  const { id = '' } = useParams()
  const person = useQuery({
    queryKey: ['adminUser', id],
    queryFn: () => unwrap(auth.admin.getUser({ query: { id } })),
  })
  if (person.error && (!person.data || errorOf(person.error).status === 404)) {
    return <NotShown error={errorOf(person.error)} onRetry={() => void person.refetch()} />
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
      {(user) => <Person user={user as unknown as Detailed} />}
    </Loaded>
  )
}

/** Somebody who is not there, perhaps not any more, or could not be loaded: the way back to the others. */
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

/** Everything that is shown of anybody is looked at again. */
function refresh() {
  for (const key of ['adminUser', 'adminUsers', 'adminAudit', 'adminSessions']) {
    void queryClient.invalidateQueries({ queryKey: [key] })
  }
}

function Person({ user }: { user: Detailed }) {
  const t = useTexts(adminTexts)
  const { may, mayGrant } = useRights()
  const { user: me } = useMember()
  const isMe = user.id === me.id
  // Nobody acts on somebody who may do more than they do.
  const inReach = mayGrant(user.role)
  return (
    <Page title={nameOf(user)} intro={isPlaceholder(user.email) ? undefined : user.email}>
      {isBanned(user) && <BanNote user={user} />}
      <Section title={t.profile}>
        <Profile user={user} />
        {may({ user: ['update'] }) && inReach && (
          <DialogButton
            user={user}
            label={t.edit}
            title={t.editTitle(nameOf(user))}
            form={EditForm}
            refresh={refresh}
          />
        )}
      </Section>
      {inReach && !isMe && <Actions user={user} refresh={refresh} />}
      {may({ session: ['list'] }) && (
        <Section title={t.sessions}>
          <UserSessions user={user} mayRevoke={inReach && may({ session: ['revoke'] })} refresh={refresh} />
        </Section>
      )}
      <Section title={t.accounts}>
        <Rows
          none={t.noAccounts}
          rows={user.accounts.map(({ id, providerId, accountId, createdAt }) => ({
            id,
            name: providerId === 'credential' ? t.passwordAccount : providerId,
            detail: providerId === 'credential' ? null : accountId,
            end: <Day date={createdAt} />,
          }))}
        />
      </Section>
      {user.about.passkeys && (
        <Section title={t.passkeys}>
          <Rows
            none={t.noPasskeys}
            rows={user.about.passkeys.map(({ id, name, lastUsedAt, createdAt }) => ({
              id,
              name: name ?? t.unnamedPasskey,
              detail: null,
              end: lastUsedAt ? <LastUse date={lastUsedAt} /> : <Day date={createdAt} />,
            }))}
          />
        </Section>
      )}
      {user.about.apiKeys && (
        <Section title={t.apiKeys}>
          <Rows none={t.noApiKeys} rows={user.about.apiKeys.map((key) => keyRow(key, t))} />
        </Section>
      )}
      {user.about.organizations && (
        <Section title={t.organizations}>
          <Rows
            none={t.noOrganizations}
            rows={user.about.organizations.map(({ id, name, role }) => ({ id, name, detail: null, end: role }))}
          />
        </Section>
      )}
      {may({ audit: ['list'] }) && (
        <Section title={t.auditOf}>
          <AuditList userId={user.id} />
        </Section>
      )}
      {isMe ? <Note>{t.yourself}</Note> : inReach && <Danger user={user} refresh={refresh} />}
    </Page>
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

/** A key, and whether it still opens anything. */
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

function BanNote({ user }: { user: ManagedUser }) {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  return (
    <Note tone="danger">
      <p className="font-medium wrap-anywhere">{t.bannedFor(givenReason(user.banReason))}</p>
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

function Profile({ user }: { user: ManagedUser }) {
  const t = useTexts(adminTexts)
  const yesOrNo = (is: boolean | null | undefined) => (is ? t.yes : t.no)
  const facts: [label: string, value: ReactNode][] = [
    [t.state, <StateBadge key="state" user={user} />],
    [t.role, user.role.split(',').join(', ')],
    [t.emailVerified, yesOrNo(user.emailVerified)],
    [t.twoFactor, yesOrNo(user.twoFactorEnabled)],
    [t.joined, <Day key="joined" date={user.createdAt} />],
    [t.id, <code key="id">{user.id}</code>],
  ]
  return (
    <div className="flex flex-wrap gap-6">
      <Avatar name={nameOf(user)} image={user.image} size={64} />
      <dl className="grid min-w-0 flex-1 basis-64 grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0 wrap-anywhere *:whitespace-normal">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface Row {
  id: string
  name: string
  detail: string | null
  end: ReactNode
}

function Rows({ rows, none }: { rows: Row[]; none: string }) {
  if (rows.length === 0) return <p className="text-soft">{none}</p>
  return (
    <ul className="grid gap-3">
      {rows.map(({ id, name, detail, end }) => (
        <li key={id} className="flex flex-wrap justify-between gap-x-4 border-b pb-3 last:border-b-0 last:pb-0">
          <span className="min-w-0 wrap-anywhere">
            {name} {detail && <span className="text-soft">{detail}</span>}
          </span>
          <span className="text-soft">{end}</span>
        </li>
      ))}
    </ul>
  )
}
