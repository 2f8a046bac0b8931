import { auth } from '../../lib/api.ts'
import type { SecurityEvent } from '../../lib/auth/endpoints.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { consoleTexts } from '../timeline/console.texts.ts'
import { securityLogTexts } from '../timeline/events.texts.ts'
import { useEventKinds, useEventLines } from '../timeline/events.tsx'
import { LogFilterForm, NothingFound, periodOf, useLogFilter } from '../timeline/log-filter.tsx'
import { logPageSize, SearchedPages } from '../timeline/searched-pages.tsx'
import { timelineTexts } from '../timeline/timeline.texts.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { eventsTexts } from './events.texts.ts'
import { SavedViews } from './saved-views.tsx'

/** The security events of all users, by pages. */
export default function Events() {
  const t = useTexts(eventsTexts)
  const { exportCsv } = useTexts(consoleTexts)
  const { older } = useTexts(timelineTexts)
  const { none } = useTexts(securityLogTexts)
  const log = useLogFilter()
  const kinds = useEventKinds(log.filter.kind)
  const linesOf = useEventLines()
  const filter = {
    ...(kinds.chosen ? { type: kinds.chosen as SecurityEvent['type'] } : {}),
    ...(log.filter.user ? { userId: log.filter.user } : {}),
    ...periodOf(log.filter),
  }
  const events = usePages(
    ['adminSecurityEvents', JSON.stringify(filter)],
    (cursor) => auth.admin.securityEvents({ query: { limit: logPageSize, ...filter, cursor } }),
    ({ next }) => next,
  )
  return (
    <Page wide title={t.title} intro={t.intro}>
      <Section>
        <LogFilterForm of={log} kinds={kinds} users={['user']}>
          <SavedViews />
          <ExportButton path="/admin/export-security-events" filter={filter} name="security-events">
            {exportCsv}
          </ExportButton>
        </LogFilterForm>
        <SearchedPages
          of={events}
          items={({ events: list }) => list}
          errors={t.errors}
          empty={<NothingFound of={log} none={none} />}
          more={older}
          skeleton={<Skeleton lines={8} />}
        >
          {(list) => <Timeline caption={t.caption} lines={linesOf(list)} shows={['about', 'where']} />}
        </SearchedPages>
      </Section>
    </Page>
  )
}
