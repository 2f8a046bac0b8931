import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useAction } from '../../lib/action.ts'
import { auth, useMember } from '../../lib/api.ts'
import type { DeviceSession } from '../../lib/auth/endpoints.ts'
import { unwrap } from '../../lib/call-error.ts'
import { queryClient } from '../../lib/queries.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

const texts = defineTexts(
  {
    title: 'Sessions',
    intro: 'Where you are signed in. End a session that you do not recognize, and change your password.',
    thisDevice: 'This device',
    unknown: 'Unknown browser',
    on: (browser: string, os: string) => `${browser} on ${os}`,
    lastActive: 'Last active',
    signedIn: 'Signed in',
    end: 'Sign out',
    endOne: (device: string) => `Sign out ${device}`,
    ended: 'The session has been ended.',
    othersTitle: 'Other sessions',
    others: 'Sign out all others',
    othersQuestion: 'Sign out everywhere else?',
    othersWhat: (count: number) =>
      count === 1 ? 'One other session is ended at once.' : `${count} other sessions are ended at once.`,
    othersEnded: 'All other sessions have been ended.',
    alone: 'You are signed in nowhere else.',
  },
  {
    title: 'Sitzungen',
    intro: 'Wo du angemeldet bist. Beende eine Sitzung, die du nicht kennst, und ändere dein Passwort.',
    thisDevice: 'Dieses Gerät',
    unknown: 'Unbekannter Browser',
    on: (browser, os) => `${browser} auf ${os}`,
    lastActive: 'Zuletzt aktiv',
    signedIn: 'Angemeldet',
    end: 'Abmelden',
    endOne: (device) => `${device} abmelden`,
    ended: 'Die Sitzung ist beendet.',
    othersTitle: 'Andere Sitzungen',
    others: 'Alle anderen abmelden',
    othersQuestion: 'Überall sonst abmelden?',
    othersWhat: (count) =>
      count === 1 ? 'Eine andere Sitzung endet sofort.' : `${count} andere Sitzungen enden sofort.`,
    othersEnded: 'Alle anderen Sitzungen sind beendet.',
    alone: 'Du bist nirgends sonst angemeldet.',
  },
)

const refresh = () => queryClient.invalidateQueries({ queryKey: ['sessions'] })

export default function Sessions() {
  const t = useTexts(texts)
  const { session: here } = useMember()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => unwrap(auth.listSessions()) })
  return (
    <Page title={t.title} intro={t.intro}>
      <Loaded
        of={sessions}
        skeleton={
          <Section>
            <Skeleton lines={4} />
          </Section>
        }
      >
        {(list) => {
          const current = list.find(({ id }) => id === here.id)
          const others = list
            .filter(({ id }) => id !== here.id)
            .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
          return (
            <>
              <Section title={t.thisDevice}>
                <SessionRow session={current ?? { ...here, device: null }} current />
              </Section>
              <Section title={t.othersTitle}>
                {others.length === 0 ? <p className="text-soft">{t.alone}</p> : <Others list={others} />}
              </Section>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function Others({ list }: { list: DeviceSession[] }) {
  const t = useTexts(texts)
  return (
    <>
      <ul className="grid gap-5">
        {list.map((session) => (
          <li key={session.id} className="border-b pb-5 last:border-b-0 last:pb-0">
            <SessionRow session={session} />
          </li>
        ))}
      </ul>
      <div>
        <ConfirmDestroy
          title={t.othersQuestion}
          action={t.others}
          send={() => auth.revokeOtherSessions()}
          done={() => {
            toast(t.othersEnded)
            void refresh()
          }}
        >
          {t.othersWhat(list.length)}
        </ConfirmDestroy>
      </div>
    </>
  )
}

const isPhone = (os: string | null | undefined) => os === 'iOS' || os === 'Android'

function SessionRow({ session, current }: { session: DeviceSession; current?: boolean }) {
  const t = useTexts(texts)
  const { device } = session
  const name =
    device?.browser && device.os
      ? t.on(device.browser, device.os)
      : device?.browser || device?.os || session.userAgent || t.unknown
  const end = useAction(
    () => auth.revokeSession({ token: session.token }),
    () => {
      toast(t.ended)
      void refresh()
    },
  )
  const Icon = isPhone(device?.os) ? Smartphone : Monitor
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Icon aria-hidden size={22} className="flex-none text-soft" />
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="line-clamp-2">{name}</span>
            {current && <Badge tone="success">{t.thisDevice}</Badge>}
          </p>
          <p className="text-soft text-sm">
            {session.ipAddress && <>{session.ipAddress} · </>}
            {t.lastActive} <Time date={session.updatedAt} /> · {t.signedIn} <Time date={session.createdAt} />
          </p>
        </div>
        {!current && (
          <Button busy={end.busy} aria-label={t.endOne(name)} onClick={end.run}>
            {t.end}
          </Button>
        )}
      </div>
      {end.error && <ErrorPanel error={end.error} />}
    </div>
  )
}
