import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Section } from '../../ui/section.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { useEventLines } from '../timeline/events.tsx'
import { useWhileShown } from '../timeline/live.ts'
import { LiveBox, LogFilterForm, NothingFound, periodOf, useLogFilter } from '../timeline/log-filter.tsx'
import { merged } from '../timeline/merged.ts'
import { useRecordLines } from '../timeline/records.tsx'
import { timelineTexts } from '../timeline/timeline.texts.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { useColumnNames } from './column-names.ts'
import { eventsTexts } from './events.texts.ts'
import { useRights } from './rights.ts'
import { adminTexts } from './texts.ts'

const pageSize = 30

type AuditPage = AnswerOf<'/admin/audit'>
type Entry = AuditPage['entries'][number]

const entriesOf = (pages: AuditPage[] | null): Entry[] => pages?.flatMap(({ entries }) => entries) ?? []

const searchedToOf = (pages: AuditPage[] | null) => pages?.at(-1)?.searchedTo

const useRecords = (filter: { userId?: string; actorId?: string; since?: string; until?: string }, enabled: boolean) =>
  usePages(
    ['adminAudit', JSON.stringify(filter)],
    (cursor) => auth.admin.audit({ query: { limit: pageSize, ...filter, cursor } }),
    ({ nextCursor }) => nextCursor,
    enabled,
  )

/**
 * What the user has done and what others have changed: security events and records, each request once. The page loads them
 * with the user, not after it.
 */
export function useUserTimeline(userId: string) {
  const { may } = useRights()
  const [hasEvents, hasRecords] = [may({ session: ['list'] }), may({ audit: ['list'] })]
  const log = useLogFilter()
  const period = periodOf(log.filter)
  const filter = { userId, ...period }
  const fromEvents = usePages(
    ['adminSecurityEvents', JSON.stringify(filter)],
    (cursor) => auth.admin.securityEvents({ query: { limit: pageSize, ...filter, cursor } }),
    ({ next }) => next,
    hasEvents,
  )
  const aboutUser = useRecords(filter, hasRecords)
  const byUser = useRecords({ actorId: userId, ...period }, hasRecords)
  const [eventLines, recordLines] = [useEventLines(), useRecordLines('console', useColumnNames())]
  const asked = [hasEvents && fromEvents, hasRecords && aboutUser, hasRecords && byUser].filter((one) => one !== false)
  const shownEvents = fromEvents.data?.flatMap((page) => page.events) ?? []
  // An event has more about its request than the record does, and an act of the user on the own account is in both lists.
  const known = new Set(shownEvents.map(({ requestId }) => requestId))
  const isNews = ({ requestId }: Entry) => requestId === null || !known.has(requestId)
  const [about, by] = [entriesOf(aboutUser.data), entriesOf(byUser.data)]
  const { lines, more } = merged([
    { lines: eventLines(shownEvents), more: fromEvents.more },
    { lines: recordLines(about.filter(isNews)), searchedTo: searchedToOf(aboutUser.data), more: aboutUser.more },
    {
      lines: recordLines(by.filter((one) => isNews(one) && !about.some(({ id }) => id === one.id))),
      searchedTo: searchedToOf(byUser.data),
      more: byUser.more,
    },
  ])
  // Further pages are not loaded again without a click.
  const isShort = asked.length > 0 && asked.every(({ data }) => data?.length === 1)
  const refetch = () => asked.map((one) => one.refetch())
  const all = {
    data: asked.every(({ data }) => data) ? lines : null,
    error: asked.find(({ error, data }) => error && !data)?.error ?? null,
    isPending: asked.some(({ isPending }) => isPending),
    refetch,
  }
  return { log, filter, hasEvents, hasRecords, all, more, isShort }
}

export function UserTimeline({ userId }: { userId: string }) {
  const t = useTexts(adminTexts)
  const events = useTexts(eventsTexts)
  const own = useTexts(timelineTexts)
  const { log, filter, hasEvents, hasRecords, all, more, isShort } = useUserTimeline(userId)
  const [live, setLive] = useState(true)
  useWhileShown(live && isShort, all.refetch)
  if (!hasEvents && !hasRecords) return null
  return (
    <Section title={t.auditOf}>
      <LogFilterForm
        of={log}
        more={
          <>
            {hasEvents && (
              <ExportButton path="/admin/export-security-events" filter={filter} name="security-events">
                {events.title}
              </ExportButton>
            )}
            {hasRecords && (
              <ExportButton path="/admin/export-audit" filter={filter} name="audit-log" errors={t.errors}>
                {t.auditTitle}
              </ExportButton>
            )}
          </>
        }
      >
        {isShort && <LiveBox on={live} onSwitch={setLive} />}
      </LogFilterForm>
      <Loaded
        of={all}
        errors={t.errors}
        empty={more ? undefined : <NothingFound of={log} none={t.noAudit} />}
        skeleton={<Skeleton lines={8} />}
      >
        {(list) => (
          <>
            <Timeline caption={t.auditOf} lines={list} shows={['about', 'where']} of={userId} />
            {more && (
              <Button className="justify-self-start" busy={more.busy} onClick={more.run}>
                {own.older}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
