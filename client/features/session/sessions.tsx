import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { DeviceSession } from '../../lib/auth/endpoints.ts'
import { unwrap } from '../../lib/call-error.ts'
import { queryClient } from '../../lib/queries.ts'
import { defineTexts, useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

const texts = defineTexts(
  {
    title: 'Sessions',
    intro: 'If you do not recognize one, end it and change your password.',
    thisDevice: 'This device',
    unknown: 'Unknown browser',
    on: (browser: string, os: string) => `${browser} on ${os}`,
    lastActive: 'Last active',
    signedIn: 'Signed in',
    by: (method: string) => `with ${method}`,
    methods: {
      email: 'a password',
      username: 'a password',
      'phone-number': 'a password',
      'sign-up': 'a password',
      passkey: 'a passkey',
      'magic-link': 'an email link',
      'email-otp': 'an email code',
      'phone-otp': 'a text message',
      social: 'another service',
      'one-tap': 'Google',
      'second-factor': 'two factors',
    } as Record<string, string>,
    end: 'Sign out',
    endOne: (device: string) => `Sign out ${device}`,
    ended: 'The session has been ended.',
    others: 'Sign out all others',
    othersQuestion: 'Sign out everywhere else?',
    othersWhat: (count: number) =>
      count === 1 ? 'One other session ends immediately.' : `${count} other sessions end immediately.`,
    othersEnded: 'All other sessions have been ended.',
    alone: 'You are not signed in anywhere else.',
  },
  {
    title: 'Sitzungen',
    intro: 'Wenn du eine nicht kennst, beende sie und ändere dein Passwort.',
    thisDevice: 'Dieses Gerät',
    unknown: 'Unbekannter Browser',
    on: (browser, os) => `${browser} auf ${os}`,
    lastActive: 'Zuletzt aktiv',
    signedIn: 'Angemeldet',
    by: (method) => `mit ${method}`,
    methods: {
      email: 'Passwort',
      username: 'Passwort',
      'phone-number': 'Passwort',
      'sign-up': 'Passwort',
      passkey: 'Passkey',
      'magic-link': 'E-Mail-Link',
      'email-otp': 'E-Mail-Code',
      'phone-otp': 'SMS-Code',
      social: 'einem anderen Dienst',
      'one-tap': 'Google',
      'second-factor': 'zwei Faktoren',
    },
    end: 'Abmelden',
    endOne: (device) => `${device} abmelden`,
    ended: 'Die Sitzung ist beendet.',
    others: 'Alle anderen abmelden',
    othersQuestion: 'Überall sonst abmelden?',
    othersWhat: (count) =>
      count === 1 ? 'Eine andere Sitzung endet sofort.' : `${count} andere Sitzungen enden sofort.`,
    othersEnded: 'Alle anderen Sitzungen sind beendet.',
    alone: 'Du bist sonst nirgends angemeldet.',
  },
)

const refresh = () => queryClient.invalidateQueries({ queryKey: ['sessions'] })

/** Where the person is signed in: this device first, then the others by when they were last active. */
export function Sessions() {
  const t = useTexts(texts)
  const { session: here } = useMember()
  const sessions = useQuery({ queryKey: ['sessions', here.id], queryFn: () => unwrap(auth.listSessions()) })
  return (
    <Section id="sessions" title={t.title} intro={t.intro}>
      <Loaded of={sessions} skeleton={<Skeleton lines={4} />}>
        {(list) => {
          const current = list.find(({ id }) => id === here.id) ?? { ...here, device: null }
          const others = list
            .filter(({ id }) => id !== here.id)
            .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
          return (
            <>
              <ul className="grid gap-4">
                {[current, ...others].map((session) => (
                  <li key={session.id} className="border-b pb-4 last:border-b-0 last:pb-0">
                    <SessionRow session={session} current={session.id === here.id} />
                  </li>
                ))}
              </ul>
              {others.length === 0 ? <p className="text-soft">{t.alone}</p> : <EndOthers count={others.length} />}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function EndOthers({ count }: { count: number }) {
  const t = useTexts(texts)
  return (
    <ConfirmDestroy
      title={t.othersQuestion}
      action={t.others}
      send={() => auth.revokeOtherSessions()}
      done={() => {
        toast(t.othersEnded)
        void refresh()
      }}
    >
      {t.othersWhat(count)}
    </ConfirmDestroy>
  )
}

const isPhone = (os: string | null | undefined) => os === 'iOS' || os === 'Android'

/** "Vienna, Austria", as far as it is known. */
function usePlace({ place }: DeviceSession): string {
  const language = useLanguage()
  const country = place?.country && new Intl.DisplayNames(language, { type: 'region' }).of(place.country)
  return [place?.city, country].filter(Boolean).join(', ')
}

function SessionRow({ session, current }: { session: DeviceSession; current?: boolean }) {
  const t = useTexts(texts)
  const { device } = session
  const name =
    device?.browser && device.os
      ? t.on(device.browser, device.os)
      : device?.browser || device?.os || (current ? t.thisDevice : session.userAgent || t.unknown)
  const end = useAction(
    () => auth.revokeSession({ token: session.token }),
    () => {
      toast(t.ended)
      void refresh()
    },
  )
  const { providers } = useConfig()
  const method = session.method
    ? (t.methods[session.method] ?? providers.find(({ id }) => id === session.method)?.name)
    : undefined
  const place = usePlace(session)
  const Icon = isPhone(device?.os) ? Smartphone : Monitor
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Icon aria-hidden size={22} className="flex-none text-soft" />
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="line-clamp-2">{name}</span>
            {current && name !== t.thisDevice && <Badge tone="success">{t.thisDevice}</Badge>}
          </p>
          <p className="text-soft text-sm">{[place, session.ipAddress].filter(Boolean).join(' · ')}</p>
          <p className="text-soft text-sm">
            {t.lastActive} <Time date={session.updatedAt} /> · {t.signedIn} <Time date={session.createdAt} />
            {method && <> {t.by(method)}</>}
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
