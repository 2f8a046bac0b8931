import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useActionName } from './actions.ts'
import { consoleTexts } from './console.texts.ts'
import { organizationsTexts } from './organizations.texts.ts'
import { recordTexts } from './records.texts.ts'
import { Changes, Details, useActorName, useSubjectName, What } from './records.tsx'
import { logPageSize, SearchedPages } from './searched-pages.tsx'
import { adminTexts } from './texts.ts'

type Entry = AnswerOf<'/admin/audit'>['entries'][number]

/** Which lines of the audit log to show: the query of the request. */
export interface AuditFilter {
  userId?: string
  actorId?: string
  action?: string
  since?: string
  until?: string
}

/** @param none replaces an empty list */
export function AuditList({ filter, ofOne, none }: { filter: AuditFilter; ofOne?: boolean; none?: ReactNode }) {
  const t = useTexts(adminTexts)
  const log = usePages(
    ['adminAudit', JSON.stringify(filter)],
    (cursor) => auth.admin.audit({ query: { limit: logPageSize, ...filter, cursor } }),
    ({ nextCursor }) => nextCursor,
  )
  return (
    <SearchedPages
      of={log}
      items={({ entries }) => entries}
      errors={t.errors}
      empty={none ?? t.noAudit}
      more={t.older}
      skeleton={<Skeleton lines={4} />}
    >
      {(entries) => <AuditTable entries={entries} ofOne={ofOne} />}
    </SearchedPages>
  )
}

function AuditTable({ entries, ofOne }: { entries: Entry[]; ofOne: boolean | undefined }) {
  const t = useTexts(adminTexts)
  const nameOf = useActionName()
  const { about } = useTexts(recordTexts)
  const [actorOf, subjectOf] = [useActorName(), useSubjectName()]
  const columns: (Column<Entry> | false)[] = [
    {
      key: 'what',
      label: t.what,
      lead: true,
      cell: (entry) => (
        <What
          date={entry.createdAt}
          words={nameOf(entry.action)}
          parties={[actorOf(entry), ...(ofOne ? [] : [subjectOf(entry)])]}
        >
          <ChangesOf entry={entry} />
        </What>
      ),
    },
    !ofOne && {
      key: 'whom',
      label: about,
      minor: true,
      cell: (entry) => {
        const { action, subjectType, subjectId, subjectName } = entry
        if (isExport(action) || subjectId === null) return '–'
        return subjectType === 'user' ? (
          <Person id={subjectId} name={subjectName} />
        ) : (
          <CutParts parts={[subjectOf(entry)]} />
        )
      },
    },
    {
      key: 'who',
      label: t.who,
      minor: true,
      cell: (entry) =>
        isPerson(entry) ? <Person id={entry.actorId!} name={entry.actorName} /> : <Cut>{actorOf(entry)}</Cut>,
    },
    { key: 'when', label: t.when, minor: true, cell: ({ createdAt }) => <Time date={createdAt} /> },
    { key: 'details', label: '', menu: true, align: 'end', cell: (entry) => <Details of={entry} /> },
  ]
  return <Table caption={t.auditCaption} columns={columns} rows={entries} rowKey={({ id }) => id} compact />
}

/** It concerns many users. */
const isExport = (action: string) => action.startsWith('export-')

const isPerson = ({ actorType, actorId }: Entry) =>
  actorId !== null && (actorType === 'user' || actorType === 'administrator')

function Person({ id, name }: { id: string; name: string | null }) {
  const t = useTexts(adminTexts)
  return (
    <>
      {name === null ? (
        <span className="text-soft">{t.gone(id.slice(0, 8))}</span>
      ) : (
        <Link href={`/admin/users/${id}`} className="block underline decoration-line underline-offset-4">
          <Cut>{name || id}</Cut>
        </Link>
      )}
    </>
  )
}

function ChangesOf({ entry }: { entry: Entry }) {
  const t = useTexts(adminTexts)
  const { columns: filters } = useTexts(consoleTexts)
  const texts = useTexts(organizationsTexts)
  const columns: Record<string, string> = isExport(entry.action)
    ? filters
    : { ...t.columns, organization: t.organization, slug: texts.slug }
  return <Changes of={entry} columns={columns} hidden={entry.subjectType === 'user' ? [] : ['name']} />
}
