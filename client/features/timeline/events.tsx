import type { SecurityEvent } from '../../lib/auth/endpoints.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Cut } from '../../ui/cut.tsx'
import { useDeviceNames, useMethodNames, usePlaceNames } from '../session/labels.ts'
import { consoleTexts } from './console.texts.ts'
import { securityLogTexts } from './events.texts.ts'
import { Facts } from './facts.tsx'
import type { Line, Party } from './line.ts'
import { PartyName } from './party-name.tsx'
import { recordTexts } from './records.texts.ts'
import { timelineTexts } from './timeline.texts.ts'

/** `current` is for the user, the others are for administrators. */
export type SeenEvent = SecurityEvent & {
  current?: boolean
  userId?: string
  userName?: string
  userEmail?: string
  actorId?: string | null
  requestId?: string
}

/** The choice of a filter. @param asked by the address */
export function useEventKinds(asked: string) {
  const { types } = useTexts(securityLogTexts)
  const { what } = useTexts(timelineTexts)
  const { everyType } = useTexts(consoleTexts)
  const choices = Object.entries(types).map(([value, label]) => ({ value, label }))
  return {
    label: what,
    groups: [{ label: '', choices }],
    chosen: Object.hasOwn(types, asked) ? asked : '',
    every: everyType,
  }
}

/** A function for the lines of security events. */
export function useEventLines(): (events: SeenEvent[]) => Line[] {
  const t = useTexts(securityLogTexts)
  const [deviceOf, placeOf, methodOf] = [useDeviceNames(), usePlaceNames(), useMethodNames()]
  return (events) =>
    events.map((event) => {
      const { provider } = event.details
      const type = t.types[event.type] ?? event.type
      const words = provider ? `${type}: ${methodOf(provider) ?? provider}` : type
      const method = methodOf(event.method)
      const device = event.device || event.userAgent ? deviceOf(event.device) : undefined
      const places = [placeOf(event), event.ipAddress ?? ''].filter((place) => place !== '')
      const more = method ? t.with(method) : event.actorId ? t.byAdministrator : null
      const about = event.userId ? userOf(event, event.userId) : undefined
      return {
        id: event.id,
        date: event.createdAt,
        words,
        failed: event.outcome === 'failure',
        here: event.current === true,
        isSignIn: event.type === 'sign-in',
        about,
        device,
        places,
        more: more && <Cut className="text-soft">{more}</Cut>,
        same: JSON.stringify([words, about, device, event.current, event.actorId ?? null]),
        details: () => <EventDetails of={event} line={{ about, device, places }} how={more} />,
      }
    })
}

const userOf = ({ userName, userEmail = '' }: SeenEvent, id: string): Party => ({
  name: userName || (isPlaceholder(userEmail) ? '' : userEmail) || id,
  href: `/admin/users/${id}`,
})

interface EventDetailsProps {
  of: SeenEvent
  line: Pick<Line, 'about' | 'device' | 'places'>
  how: string | null
}

function EventDetails({ of: event, line: { about, device, places }, how }: EventDetailsProps) {
  const t = useTexts(recordTexts)
  return (
    <Facts
      date={event.createdAt}
      facts={[
        [t.about, about && <PartyName of={about} />],
        [t.how, how],
        [t.by, event.actorId && <PartyName of={{ name: event.actorId, href: `/admin/users/${event.actorId}` }} />],
        [t.device, device],
        [t.place, places.join(' · ')],
        [t.userAgent, event.userAgent],
        [t.request, event.requestId],
        [t.record, event.id],
      ]}
    />
  )
}
