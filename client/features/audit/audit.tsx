import { useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import { refreshQueries, usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, Note, Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { actionsLike, choiceOf, useActionGroups, useActionName } from '../admin/actions.ts'
import { consoleTexts } from '../admin/console.texts.ts'
import { LogFilterForm, periodOf, useLogFilter } from '../admin/log-filter.tsx'
import { type AuditLine, Changes, Details, useActorName, useSubjectName, What } from '../admin/records.tsx'
import { logPageSize, SearchedPages } from '../admin/searched-pages.tsx'
import { ExportFile } from './export-file.tsx'
import { AuditPage } from './frame.tsx'
import { useNewRecords } from './live.ts'
import { auditTexts } from './texts.ts'

/** The records of the active organization. The address contains the filter. */
export default function OrganizationAudit() {
  return <AuditPage>{({ organization }) => <Records organizationId={organization.id} />}</AuditPage>
}

/** What is about accounts alone is in the log of the deployment. */
const ofOrganizations = ['organization', 'access', 'signIn', 'keys', 'applications', 'operation'] as const

function Records({ organizationId }: { organizationId: string }) {
  const t = useTexts(auditTexts)
  const groups = useActionGroups(ofOrganizations)
  const own = useTexts(consoleTexts)
  const { features } = useConfig()
  const [live, setLive] = useState(true)
  const [fresh, setFresh] = useState(false)
  const log = useLogFilter()
  const { kind, user, by, q } = log.filter
  const filter = {
    organizationId,
    ...(kind ? { action: actionsLike(kind) } : {}),
    ...(user ? { userId: user } : {}),
    ...(by ? { actorId: by } : {}),
    ...(q ? { search: q.slice(0, 100) } : {}),
    ...periodOf(log.filter),
  }
  const records = usePages(
    ['organizationAudit', JSON.stringify(filter)],
    (cursor) => auth.organization.audit({ query: { limit: logPageSize, ...filter, cursor } }),
    ({ nextCursor }) => nextCursor,
  )
  const show = () => {
    setFresh(false)
    refreshQueries('organizationAudit')
  }
  // Further pages are not loaded again without a click.
  const isLong = (records.data?.length ?? 0) > 1
  useNewRecords(organizationId, Boolean(features.live) && live, () => (isLong ? setFresh(true) : show()))
  return (
    <Section>
      <LogFilterForm
        of={log}
        label={t.what}
        kinds={groups}
        kind={choiceOf(kind)}
        every={own.everyAct}
        hasActor
        search={t.search}
      />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <ExportFile
          path="/organization/export-audit"
          filter={filter}
          name="audit-log"
          formats={['csv', 'ndjson', 'ocsf']}
        />
        {features.live && <Checkbox label={t.live} checked={live} onChange={({ target }) => setLive(target.checked)} />}
      </div>
      {fresh && (
        <Note live>
          <div className="flex flex-wrap items-center justify-between gap-3">
            {t.fresh}
            <Button onClick={show}>{t.showFresh}</Button>
          </div>
        </Note>
      )}
      <SearchedPages
        of={records}
        items={({ entries }) => entries}
        errors={t.errors}
        empty={
          log.isSet ? (
            <EmptyState action={<Button onClick={log.clear}>{own.clearFilter}</Button>}>{own.noMatch}</EmptyState>
          ) : (
            t.none
          )
        }
        more={t.older}
        skeleton={<Skeleton lines={6} />}
      >
        {(lines) => <RecordTable lines={lines} />}
      </SearchedPages>
    </Section>
  )
}

function RecordTable({ lines }: { lines: AuditLine[] }) {
  const t = useTexts(auditTexts)
  const [nameOf, actorOf, subjectOf] = [useActionName(), useActorName(), useSubjectName()]
  const columns: Column<AuditLine>[] = [
    {
      key: 'what',
      label: t.what,
      lead: true,
      cell: (line) => (
        <What date={line.createdAt} words={nameOf(line.action)} parties={[actorOf(line), subjectOf(line)]}>
          <Changes of={line} hidden={['name', 'email']} />
        </What>
      ),
    },
    { key: 'whom', label: t.whom, minor: true, cell: (line) => <CutParts parts={[subjectOf(line)]} /> },
    { key: 'who', label: t.who, minor: true, cell: (line) => <Cut>{actorOf(line)}</Cut> },
    { key: 'when', label: t.when, minor: true, cell: ({ createdAt }) => <Time date={createdAt} /> },
    { key: 'details', label: '', menu: true, align: 'end', cell: (line) => <Details of={line} /> },
  ]
  return <Table caption={t.caption} columns={columns} rows={lines} rowKey={({ id }) => id} compact />
}
