import { Link } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { securityLogTexts } from '../security-log/texts.ts'
import { useDeviceName, useMethodName, usePlace } from '../session/labels.ts'
import { consoleTexts } from './console.texts.ts'
import { eventsTexts } from './events.texts.ts'
import { LogFilterForm, periodOf, useLogFilter } from './log-filter.tsx'

type Event = AnswerOf<'/admin/security-events'>['events'][number]

/** The security events of all users, by pages. */
export default function Events() {
  const t = useTexts(eventsTexts)
  const own = useTexts(consoleTexts)
  const { types, none } = useTexts(securityLogTexts)
  const log = useLogFilter()
  const { kind, user } = log.filter
  const type = (Object.hasOwn(types, kind) ? kind : undefined) as Event['type'] | undefined
  const filter = { ...(type ? { type } : {}), ...(user ? { userId: user } : {}), ...periodOf(log.filter) }
  const events = usePages(
    ['adminSecurityEvents', JSON.stringify(filter)],
    (cursor) => auth.admin.securityEvents({ query: { limit: 20, ...filter, cursor } }),
    ({ next }) => next,
  )
  const kinds = [{ label: '', choices: Object.entries(types).map(([value, label]) => ({ value, label })) }]
  const columns: Column<Event>[] = [
    { key: 'what', label: t.what, lead: true, cell: (event) => <What event={event} /> },
    {
      key: 'person',
      label: t.person,
      cell: ({ userId, userName, userEmail }) => (
        <span className="grid">
          <Link href={`/admin/users/${userId}`} className="underline decoration-line underline-offset-4 wrap-anywhere">
            {userName || userId}
          </Link>
          {!isPlaceholder(userEmail) && <span className="text-soft wrap-anywhere">{userEmail}</span>}
        </span>
      ),
    },
    { key: 'where', label: t.where, cell: (event) => <Where event={event} /> },
    { key: 'when', label: t.when, cell: ({ createdAt }) => <Time date={createdAt} /> },
  ]
  return (
    <Page
      title={t.title}
      intro={t.intro}
      actions={
        <ExportButton path="/admin/export-security-events" filter={{ ...filter }} name="security-events">
          {own.exportCsv}
        </ExportButton>
      }
    >
      <Section>
        <LogFilterForm of={log} label={t.what} kinds={kinds} kind={type ?? ''} every={own.everyType} />
        <LoadedPages
          of={events}
          items={({ events: list }) => list}
          errors={t.errors}
          empty={
            log.isSet ? (
              <EmptyState action={<Button onClick={log.clear}>{own.clearFilter}</Button>}>{own.noMatch}</EmptyState>
            ) : (
              none
            )
          }
          more={t.older}
          skeleton={<Skeleton lines={8} />}
        >
          {(list) => <Table caption={t.caption} columns={columns} rows={list} rowKey={({ id }) => id} />}
        </LoadedPages>
      </Section>
    </Page>
  )
}

function What({ event: { type, outcome, method, details } }: { event: Event }) {
  const t = useTexts(eventsTexts)
  const { types, with: withMethod } = useTexts(securityLogTexts)
  const name = useMethodName(method)
  const { provider } = details
  const providerName = useMethodName(provider)
  const linked = provider && (providerName ?? provider)
  return (
    <span className="grid justify-items-start gap-0.5 sm:min-w-36">
      <span className="font-medium">
        {types[type] ?? type}
        {linked && `: ${linked}`}
      </span>
      {name && <span className="text-soft">{withMethod(name)}</span>}
      {outcome === 'failure' && <Badge tone="danger">{t.failed}</Badge>}
    </span>
  )
}

function Where({ event }: { event: Event }) {
  const device = useDeviceName(event.device)
  const place = usePlace(event)
  return (
    <span className="grid wrap-anywhere">
      <span>{device}</span>
      <span className="text-soft">{[place, event.ipAddress].filter(Boolean).join(' · ')}</span>
    </span>
  )
}
