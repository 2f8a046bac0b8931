import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { actionsLike, choiceOf, useActionGroups } from '../timeline/actions.ts'
import { consoleTexts } from '../timeline/console.texts.ts'
import { useWhileShown } from '../timeline/live.ts'
import { LiveBox, LogFilterForm, NothingFound, periodOf, useLogFilter } from '../timeline/log-filter.tsx'
import { useRecordLines } from '../timeline/records.tsx'
import { logPageSize, SearchedPages } from '../timeline/searched-pages.tsx'
import { timelineTexts } from '../timeline/timeline.texts.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { AdminAuditPage } from './audit-page.tsx'
import { useColumnNames } from './column-names.ts'
import { SavedViews } from './saved-views.tsx'
import { adminTexts } from './texts.ts'

/** The records of the deployment. The address contains the filter. */
export default function Audit() {
  const t = useTexts(adminTexts)
  const own = useTexts(consoleTexts)
  const { older } = useTexts(timelineTexts)
  const groups = useActionGroups()
  const linesOf = useRecordLines('console', useColumnNames())
  const log = useLogFilter()
  const { kind, user, by, q } = log.filter
  const filter = {
    ...(kind ? { action: actionsLike(kind) } : {}),
    ...(user ? { userId: user } : {}),
    ...(by ? { actorId: by } : {}),
    ...(q ? { search: q } : {}),
    ...periodOf(log.filter),
  }
  const records = usePages(
    ['adminAudit', JSON.stringify(filter)],
    (cursor) => auth.admin.audit({ query: { limit: logPageSize, ...filter, cursor } }),
    ({ nextCursor }) => nextCursor,
  )
  const [live, setLive] = useState(true)
  // Further pages are not loaded again without a click, and a search compares many records.
  const isShort = records.data?.length === 1 && !q
  useWhileShown(live && isShort, () => void records.refetch())
  return (
    <AdminAuditPage>
      <Section>
        <LogFilterForm
          of={log}
          kinds={{ label: t.what, groups, chosen: choiceOf(kind), every: own.everyAct }}
          users={['user', 'by']}
          search={own.searchFields}
        >
          {isShort && <LiveBox on={live} onSwitch={setLive} />}
          <SavedViews />
          <ExportButton path="/admin/export-audit" filter={filter} name="audit-log" errors={t.errors}>
            {own.exportCsv}
          </ExportButton>
        </LogFilterForm>
        <SearchedPages
          of={records}
          items={({ entries }) => entries}
          errors={t.errors}
          empty={<NothingFound of={log} none={t.noAudit} />}
          more={older}
          skeleton={<Skeleton lines={6} />}
        >
          {(lines) => <Timeline caption={t.auditCaption} lines={linesOf(lines)} shows={['about', 'by']} />}
        </SearchedPages>
      </Section>
    </AdminAuditPage>
  )
}
