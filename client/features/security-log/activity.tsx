import { csvRow } from '../../../worker/kit/csv.ts'
import { auth, useMember } from '../../lib/api.ts'
import type { SecurityEvent } from '../../lib/auth/endpoints.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { OwnEyes } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { consoleTexts } from '../timeline/console.texts.ts'
import { securityLogTexts } from '../timeline/events.texts.ts'
import { useEventKinds, useEventLines } from '../timeline/events.tsx'
import { LogFilterForm, NothingFound, periodOf, useLogFilter } from '../timeline/log-filter.tsx'
import { timelineTexts } from '../timeline/timeline.texts.ts'
import { Timeline } from '../timeline/timeline.tsx'

/** On the security page: the sign-in log. */
export default function Activity() {
  const t = useTexts(securityLogTexts)
  return (
    <Section id="activity" title={t.title} intro={t.intro}>
      <OwnEyes>
        <OwnEvents />
      </OwnEyes>
    </Section>
  )
}

/** The first page, which the Worker requests with the screen (app/frames.ts). */
const pageSize = 30

function OwnEvents() {
  const t = useTexts(securityLogTexts)
  const { older } = useTexts(timelineTexts)
  const { exportCsv } = useTexts(consoleTexts)
  const { session } = useMember()
  const log = useLogFilter()
  const kinds = useEventKinds(log.filter.kind)
  const linesOf = useEventLines()
  const filter = {
    ...(kinds.chosen ? { type: kinds.chosen as SecurityEvent['type'] } : {}),
    ...periodOf(log.filter),
  }
  const events = usePages(
    ['securityEvents', session.id, JSON.stringify(filter)],
    (cursor) => auth.securityEvents({ query: { limit: pageSize, ...filter, cursor } }),
    ({ next }) => next,
  )
  return (
    <>
      <LogFilterForm of={log} kinds={kinds}>
        <ExportButton load={() => fileOf(filter)} name="activity">
          {exportCsv}
        </ExportButton>
      </LogFilterForm>
      <LoadedPages
        of={events}
        items={({ events: list }) => list}
        empty={<NothingFound of={log} none={t.none} />}
        more={older}
        skeleton={<Skeleton lines={4} />}
      >
        {(list) => <Timeline caption={t.title} lines={linesOf(list)} shows={['where']} />}
      </LoadedPages>
    </>
  )
}

type Filter = NonNullable<Parameters<typeof auth.securityEvents>[0]>['query']

/** All events as a table of text. */
async function fileOf(filter: Filter) {
  const rows = [csvRow(['time', 'event', 'outcome', 'method', 'device', 'place', 'ip address'])]
  let cursor: string | null | undefined
  do {
    const { data, error } = await auth.securityEvents({ query: { limit: 100, ...filter, cursor: cursor ?? undefined } })
    if (error) return { data: null, error }
    for (const { createdAt, type, outcome, method, device, city, country, ipAddress } of data.events) {
      const [where, what] = [
        [city, country],
        [device?.browser, device?.os],
      ].map((of) => of.filter(Boolean).join(', '))
      rows.push(csvRow([createdAt, type, outcome, method, what, where, ipAddress]))
    }
    cursor = data.next
  } while (cursor)
  return { data: rows.join(''), error: null }
}
