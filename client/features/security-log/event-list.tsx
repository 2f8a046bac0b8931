import { Monitor, ShieldAlert, Smartphone } from 'lucide-react'
import { auth } from '../../lib/api.ts'
import type { SecurityEvent } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { cx } from '../../lib/cx.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { isPhone, useDeviceName, useMethodName, usePlace } from '../session/labels.ts'
import { securityLogTexts } from './texts.ts'

/** `current` is for the user; `actorId` and `requestId` are for administrators. */
type Shown = SecurityEvent & { current?: boolean; actorId?: string | null; requestId?: string }

interface EventListProps {
  queryKey: [string, string]
  load(page: { limit: number; cursor?: string }): Promise<Result<{ events: Shown[]; next: string | null }>>
}

/** The sign-in log of a user, newest first, by pages. */
export function EventList({ queryKey, load }: EventListProps) {
  const t = useTexts(securityLogTexts)
  const log = usePages(
    queryKey,
    (cursor) => load({ limit: 10, cursor }),
    ({ next }) => next,
  )
  return (
    <LoadedPages
      of={log}
      items={({ events }) => events}
      empty={t.none}
      more={t.showMore}
      skeleton={<Skeleton lines={4} />}
    >
      {(events) => (
        <ul className="grid gap-4">
          {events.map((event) => (
            <li key={event.id} className="border-b pb-4 last:border-b-0 last:pb-0">
              <Entry event={event} />
            </li>
          ))}
        </ul>
      )}
    </LoadedPages>
  )
}

function Entry({ event }: { event: Shown }) {
  const t = useTexts(securityLogTexts)
  const device = useDeviceName(event.device)
  const place = usePlace(event)
  const method = useMethodName(event.method)
  const { provider } = event.details
  const providerName = useMethodName(provider)
  const linked = provider && (providerName ?? provider)
  const failed = event.outcome === 'failure'
  const Icon = failed ? ShieldAlert : isPhone(event.device?.os) ? Smartphone : Monitor
  return (
    <div className="flex items-start gap-4">
      <Icon aria-hidden size={22} className={cx('flex-none', failed ? 'text-danger' : 'text-soft')} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span>
            {t.types[event.type] ?? event.type}
            {linked && `: ${linked}`}
          </span>
          {event.current && <Badge tone="success">{t.here}</Badge>}
        </p>
        <p className="text-sm text-soft wrap-anywhere">
          {[device, place, event.ipAddress].filter(Boolean).join(' · ')}
        </p>
        <p className="text-sm text-soft">
          <Time date={event.createdAt} />
          {method && <> {t.with(method)}</>}
          {event.actorId && <> {t.byAdministrator}</>}
        </p>
        {event.requestId && <p className="text-xs text-soft wrap-anywhere">{event.requestId}</p>}
      </div>
    </div>
  )
}

/** In the console: the sign-in log of a user. */
export function ActivityOf({ userId }: { userId: string }) {
  const t = useTexts(securityLogTexts)
  return (
    <Section title={t.ofUser}>
      <EventList
        queryKey={['adminSecurityEvents', userId]}
        load={(page) => auth.admin.securityEvents({ query: { userId, ...page } })}
      />
    </Section>
  )
}
