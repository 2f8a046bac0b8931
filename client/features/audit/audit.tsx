import { useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import { refreshQueries, usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Note, Skeleton } from '../../ui/state.tsx'
import { actionsLike, choiceOf, useActionGroups } from '../timeline/actions.ts'
import { consoleTexts } from '../timeline/console.texts.ts'
import { useNewRecords } from '../timeline/live.ts'
import { LiveBox, LogFilterForm, NothingFound, periodOf, useLogFilter } from '../timeline/log-filter.tsx'
import { useRecordLines } from '../timeline/records.tsx'
import { logPageSize, SearchedPages } from '../timeline/searched-pages.tsx'
import { timelineTexts } from '../timeline/timeline.texts.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { ExportFile } from './export-file.tsx'
import { AuditPage } from './frame.tsx'
import { auditTexts } from './texts.ts'

/** The records of the active organization. The address contains the filter. */
export default function OrganizationAudit() {
  return <AuditPage>{({ organization }) => <Records organizationId={organization.id} />}</AuditPage>
}

/** What is about accounts alone is in the log of the deployment. */
const ofOrganizations = ['organization', 'access', 'signIn', 'keys', 'applications', 'operation'] as const

function Records({ organizationId }: { organizationId: string }) {
  const t = useTexts(auditTexts)
  const own = useTexts(timelineTexts)
  const { everyAct } = useTexts(consoleTexts)
  const groups = useActionGroups(ofOrganizations)
  const linesOf = useRecordLines('organization')
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
        kinds={{ label: t.what, groups, chosen: choiceOf(kind), every: everyAct }}
        users={['user', 'by']}
        search={t.search}
      >
        {features.live && <LiveBox on={live} onSwitch={setLive} />}
        <ExportFile
          path="/organization/export-audit"
          filter={filter}
          name="audit-log"
          formats={['csv', 'ndjson', 'ocsf']}
        />
      </LogFilterForm>
      {fresh && (
        <Note live>
          <div className="flex flex-wrap items-center justify-between gap-3">
            {own.fresh}
            <Button onClick={show}>{own.showFresh}</Button>
          </div>
        </Note>
      )}
      <SearchedPages
        of={records}
        items={({ entries }) => entries}
        errors={t.errors}
        empty={<NothingFound of={log} none={t.none} />}
        more={own.older}
        skeleton={<Skeleton lines={6} />}
      >
        {(lines) => <Timeline caption={t.caption} lines={linesOf(lines)} shows={['about', 'by']} />}
      </SearchedPages>
    </Section>
  )
}
