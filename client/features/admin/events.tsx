import { Link } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
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
      minor: true,
      cell: ({ userId, userName, userEmail }) => (
        <span className="grid grid-cols-1">
          <Link href={`/admin/users/${userId}`} className="block min-w-0 underline decoration-line underline-offset-4">
            <Cut>{userName || userEmail || userId}</Cut>
          </Link>
          {!isPlaceholder(userEmail) && <Cut className="text-soft">{userEmail ?? ''}</Cut>}
        </span>
      ),
    },
    { key: 'where', label: t.where, minor: true, cell: (event) => <Where event={event} /> },
    { key: 'when', label: t.when, cell: ({ createdAt }) => <Time date={createdAt} /> },
  ]
  return (
    <Page
      wide
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
          {(list) => <Table caption={t.caption} columns={columns} rows={list} rowKey={({ id }) => id} compact />}
        </LoadedPages>
      </Section>
    </Page>
  )
}

function What({ event: { type, outcome, method, details, userId, userName, userEmail } }: { event: Event }) {
  const t = useTexts(eventsTexts)
  const { types, with: withMethod } = useTexts(securityLogTexts)
  const name = useMethodName(method)
  const { provider } = details
  const providerName = useMethodName(provider)
  const linked = provider && (providerName ?? provider)
  const words = linked ? `${types[type]}: ${linked}` : types[type]
  return (
    <span className="grid grid-cols-1 gap-0.5">
      <span className="flex items-center gap-2">
        <Cut className="font-medium">{words}</Cut>
        {outcome === 'failure' && <Badge tone="danger">{t.failed}</Badge>}
      </span>
      {name && <Cut className="text-soft max-sm:hidden">{withMethod(name)}</Cut>}
      <Link
        href={`/admin/users/${userId}`}
        className="block min-w-0 text-soft underline decoration-line underline-offset-4 sm:hidden"
      >
        <Cut>{userName || userEmail || userId}</Cut>
      </Link>
    </span>
  )
}

function Where({ event }: { event: Event }) {
  const device = useDeviceName(event.device)
  const place = usePlace(event)
  return (
    <span className="grid grid-cols-1">
      <Cut>{device}</Cut>
      <Cut className="text-soft">{[place, event.ipAddress].filter(Boolean).join(' · ')}</Cut>
    </span>
  )
}
