import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { actionsLike, choiceOf, useActionGroups } from './actions.ts'
import { type AuditFilter, AuditList } from './audit-list.tsx'
import { AdminAuditPage } from './audit-page.tsx'
import { consoleTexts } from './console.texts.ts'
import { LogFilterForm, periodOf, useLogFilter } from './log-filter.tsx'
import { adminTexts } from './texts.ts'

export default function Audit() {
  const t = useTexts(adminTexts)
  const own = useTexts(consoleTexts)
  const groups = useActionGroups()
  const log = useLogFilter()
  const { kind, user, by } = log.filter
  const filter: AuditFilter = {
    ...(kind ? { action: actionsLike(kind) } : {}),
    ...(user ? { userId: user } : {}),
    ...(by ? { actorId: by } : {}),
    ...periodOf(log.filter),
  }
  return (
    <AdminAuditPage
      actions={
        <ExportButton path="/admin/export-audit" filter={{ ...filter }} name="audit-log" errors={t.errors}>
          {own.exportCsv}
        </ExportButton>
      }
    >
      <Section>
        <LogFilterForm of={log} label={t.what} kinds={groups} kind={choiceOf(kind)} every={own.everyAct} hasActor />
        <AuditList
          filter={filter}
          none={
            log.isSet ? (
              <EmptyState action={<Button onClick={log.clear}>{own.clearFilter}</Button>}>{own.noMatch}</EmptyState>
            ) : undefined
          }
        />
      </Section>
    </AdminAuditPage>
  )
}
