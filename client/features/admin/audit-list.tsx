import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/types.ts'
import { unwrap } from '../../lib/call-error.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { adminTexts } from './texts.ts'

type Entry = AnswerOf<'/admin/audit'>['entries'][number]

/** The audit log; of one person where one is given. */
export function AuditList({ userId }: { userId?: string }) {
  const t = useTexts(adminTexts)
  const log = useInfiniteQuery({
    queryKey: ['adminAudit', userId ?? null],
    queryFn: ({ pageParam }) =>
      unwrap(
        auth.admin.audit({
          query: { limit: 20, ...(userId ? { userId } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  return (
    <Loaded of={log} errors={t.errors} skeleton={<Skeleton lines={4} />}>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.entries)
        if (entries.length === 0) return <p className="text-soft">{t.noAudit}</p>
        return (
          <>
            <AuditTable entries={entries} ofOne={userId !== undefined} />
            {log.hasNextPage && (
              <Button
                className="justify-self-start"
                busy={log.isFetchingNextPage}
                onClick={() => void log.fetchNextPage()}
              >
                {t.older}
              </Button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function AuditTable({ entries, ofOne }: { entries: Entry[]; ofOne: boolean }) {
  const t = useTexts(adminTexts)
  const columns: (Column<Entry> | false)[] = [
    { key: 'what', label: t.what, lead: true, cell: ({ action }) => <Words>{t.acts[action] ?? action}</Words> },
    !ofOne && { key: 'whom', label: t.whom, cell: (entry) => <Person id={entry.subjectId} name={entry.subjectName} /> },
    {
      key: 'who',
      label: t.who,
      cell: ({ actorId, actorName }) =>
        actorId ? <Person id={actorId} name={actorName} /> : <Words>{t.server}</Words>,
    },
    { key: 'changes', label: t.changes, cell: (entry) => <Changes entry={entry} /> },
    { key: 'when', label: t.when, cell: ({ createdAt }) => <Time date={createdAt} /> },
  ]
  return (
    <Table
      caption={t.auditCaption}
      columns={columns.filter((column) => column !== false)}
      rows={entries}
      rowKey={({ id }) => id}
    />
  )
}

/** A short column beside the wide one of the changes: it keeps its words whole. */
const Words = ({ children }: { children: ReactNode }) => <span className="block sm:min-w-24">{children}</span>

function Person({ id, name }: { id: string; name: string | null }) {
  const t = useTexts(adminTexts)
  return (
    <Words>
      {name === null ? (
        <span className="text-soft">{t.gone(id)}</span>
      ) : (
        <Link href={`/admin/users/${id}`} className="underline decoration-line underline-offset-4 wrap-anywhere">
          {name || id}
        </Link>
      )}
    </Words>
  )
}

/** What was, and what is; only what differs. */
function Changes({ entry: { before, after } }: { entry: Entry }) {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const say = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (value instanceof Date) return value.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
    if (typeof value === 'boolean') return value ? t.yes : t.no
    return String(value).split(',').join(', ')
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter((name) => say(before[name]) !== say(after[name]))
  if (differing.length === 0) return '–'
  return (
    <ul className="grid gap-0.5">
      {differing.map((name) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-soft">{t.columns[name] ?? name}:</span> {name in before && `${say(before[name])} → `}
          {say(after[name])}
        </li>
      ))}
    </ul>
  )
}
