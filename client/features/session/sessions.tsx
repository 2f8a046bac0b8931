import { ChevronDown, LogOut, Monitor, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { DeviceSession } from '../../lib/auth/endpoints.ts'
import { cx } from '../../lib/cx.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { OwnEyes } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type DeviceGroup, groupDevices } from './devices.ts'
import { isPhone, useDeviceName, useMethodName, usePlace } from './labels.ts'
import { useOwnSessions } from './own-sessions.ts'
import { sessionListTexts } from './sessions.texts.ts'

const texts = defineTexts('sessions', {
  title: 'Sessions',
  intro: 'If you do not recognize one, end it and change your password.',
  thisDevice: 'This device',
  bound: 'Bound to its device',
  signedIn: 'Signed in',
  endOne: 'Sign out {device}',
  ended: 'The session has been ended.',
  others: 'Sign out all others',
  othersQuestion: 'Sign out everywhere else?',
  othersWhat: { one: 'One other session ends immediately.', other: '{count} other sessions end immediately.' },
  othersEnded: 'All other sessions have been ended.',
  applications: 'Also end the access of connected apps',
  applicationsHint: 'Each app has to ask you again.',
  alone: 'You are not signed in anywhere else.',
})

const refresh = () => refreshQueries('sessions')

/** The user's sessions: this device first, then by last activity. */
export function Sessions() {
  const t = useTexts(texts)
  const { session: here } = useMember()
  const sessions = useOwnSessions()
  const others = (sessions.data ?? []).filter(({ id }) => id !== here.id)
  return (
    <Section
      id="sessions"
      title={t.title}
      intro={t.intro}
      action={others.length > 0 && <EndOthers count={others.length} />}
    >
      <OwnEyes>
        <Loaded of={sessions} skeleton={<Skeleton lines={4} />}>
          {(list) => (
            <SessionList
              current={list.find(({ id }) => id === here.id) ?? { ...here, device: null, place: null, method: null }}
              others={groupDevices(others)}
            />
          )}
        </Loaded>
      </OwnEyes>
    </Section>
  )
}

/** The number of other devices that are shown first. */
const newest = 5

function SessionList({ current, others }: { current: DeviceSession; others: DeviceGroup[] }) {
  const t = useTexts(texts)
  const { showMore } = useTexts()
  const [all, setAll] = useState(false)
  const hidden = all ? 0 : Math.max(0, others.length - newest)
  return (
    <>
      <ul className="grid gap-3.5">
        <li className={rowClass}>
          <SessionRow session={current} current />
        </li>
        {others.slice(0, others.length - hidden).map((group) => (
          <li key={group.newest.id} className={rowClass}>
            {group.sessions.length > 1 ? <GroupRow {...group} /> : <SessionRow session={group.newest} />}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button look="quiet" className="-ms-4 justify-self-start" onClick={() => setAll(true)}>
          <ChevronDown aria-hidden size={17} />
          {showMore(hidden)}
        </Button>
      )}
      {others.length === 0 && <p className="text-soft">{t.alone}</p>}
    </>
  )
}

const rowClass = 'border-b pb-3.5 last:border-b-0 last:pb-0'

function EndOthers({ count }: { count: number }) {
  const t = useTexts(texts)
  const { features } = useConfig()
  const [applications, setApplications] = useState(false)
  return (
    <ConfirmDestroy
      id="sign-out-others"
      title={t.othersQuestion}
      action={t.others}
      send={() => auth.revokeOtherSessions({ applications })}
      done={() => {
        toast(t.othersEnded)
        setApplications(false)
        void refresh()
        refreshQueries('connections')
      }}
    >
      <div className="grid gap-4">
        <p>{t.othersWhat(count)}</p>
        {features.identityProvider && (
          <Checkbox
            label={t.applications}
            hint={t.applicationsHint}
            checked={applications}
            onChange={(event) => setApplications(event.target.checked)}
          />
        )}
      </div>
    </ConfirmDestroy>
  )
}

interface RowProps {
  session: DeviceSession
  current?: boolean
  name: string
  badge?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** Two lines: the device, and its place with the last activity. */
function Row({ session, current, name, badge, action, children }: RowProps) {
  const t = useTexts(texts)
  const method = useMethodName(session.method)
  const place = usePlace(session.place)
  const Icon = isPhone(session.device?.os) ? Smartphone : Monitor
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2">
      <Icon aria-hidden size={22} className="text-soft" />
      <div className="min-w-0">
        <p className="flex items-center gap-x-2 font-medium">
          <Cut words={session.device !== null}>{name}</Cut>
          {badge}
        </p>
        {/* Each part has its own end: cut with the whole line from right to left, a place would lose its beginning. */}
        <p
          className="flex h-lh flex-wrap overflow-hidden whitespace-pre text-sm text-soft"
          title={session.ipAddress || undefined}
        >
          <span className="max-w-full truncate">
            <Time date={session.updatedAt} />
          </span>
          <span className="flex min-w-0 max-w-max flex-[1_1_3.5rem] truncate">
            {' · '}
            <Cut>{place || session.ipAddress || ''}</Cut>
          </span>
          <span className="max-w-full truncate max-sm:hidden">
            {' '}
            · {t.signedIn} <Time date={session.createdAt} />
            {method && <> {t.with(method)}</>}
          </span>
          {session.boundKey && <span className="max-w-full truncate"> · {t.bound}</span>}
        </p>
      </div>
      {!current && action}
      <div className="col-start-2 -col-end-1 grid gap-2 empty:hidden">{children}</div>
    </div>
  )
}

interface EndProps {
  label: string
  busy: boolean
  onEnd(): void
  children: ReactNode
}

/** A button; on phones an icon. */
function End({ label, busy, onEnd, children }: EndProps) {
  return (
    <>
      <IconButton label={label} aria-busy={busy || undefined} onClick={onEnd} className="-me-2 sm:hidden">
        <LogOut aria-hidden size={18} />
      </IconButton>
      <Button aria-label={label} busy={busy} onClick={onEnd} className="max-sm:hidden">
        {children}
      </Button>
    </>
  )
}

function useEnd(sessions: DeviceSession[]) {
  const t = useTexts(texts)
  const list = useTexts(sessionListTexts)
  return useAction(
    async () => {
      for (const { token } of sessions) {
        const ended = await auth.revokeSession({ token })
        if (ended.error) return ended
      }
      return { data: true, error: null }
    },
    () => {
      toast(sessions.length === 1 ? t.ended : list.endedMany(sessions.length))
      void refresh()
    },
  )
}

function SessionRow({ session, current }: { session: DeviceSession; current?: boolean }) {
  const t = useTexts(texts)
  const name = useDeviceName(session.device, current ? t.thisDevice : session.userAgent)
  const end = useEnd([session])
  return (
    <Row
      session={session}
      current={current}
      name={name}
      badge={current && name !== t.thisDevice && <Badge tone="success">{t.thisDevice}</Badge>}
      action={
        <End label={t.endOne(name)} busy={end.busy} onEnd={end.run}>
          {t.signOut}
        </End>
      }
    >
      {end.error && <ErrorPanel error={end.error} />}
    </Row>
  )
}

/** Several sessions of equal devices: one row, which lists each of them on request. */
function GroupRow({ newest, sessions }: DeviceGroup) {
  const t = useTexts(sessionListTexts)
  const name = useDeviceName(newest.device, newest.userAgent)
  const end = useEnd(sessions)
  const [isOpen, setOpen] = useState(false)
  const count = sessions.length
  return (
    <>
      <Row
        session={newest}
        name={name}
        badge={
          <Badge>
            <span aria-hidden className="sm:hidden">
              {count}
            </span>
            <span className="max-sm:sr-only">{t.count(count)}</span>
          </Badge>
        }
        action={
          <span className="flex items-center">
            <IconButton
              label={t.singleOf(name)}
              aria-expanded={isOpen}
              className="text-soft"
              onClick={() => setOpen(!isOpen)}
            >
              <ChevronDown aria-hidden size={18} className={cx(isOpen && 'rotate-180')} />
            </IconButton>
            <End label={t.endGroupOf(count, name)} busy={end.busy} onEnd={end.run}>
              {t.endGroup(count)}
            </End>
          </span>
        }
      >
        {end.error && <ErrorPanel error={end.error} />}
      </Row>
      {isOpen && (
        <ul className="grid gap-3 border-s-2 ps-3 pt-3 sm:ps-9">
          {sessions.map((session) => (
            <li key={session.id}>
              <SessionRow session={session} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
