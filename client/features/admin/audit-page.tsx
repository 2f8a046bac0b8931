import { ScrollText, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { adminTexts } from './texts.ts'

/** A part of the audit log of the deployment. */
export function AdminAuditPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const t = useTexts(adminTexts)
  const tabs = [
    { path: '/admin/audit', label: t.auditRecords, icon: ScrollText },
    { path: '/admin/audit/streams', label: t.auditStreams, icon: Send },
  ]
  return (
    <Page wide title={t.auditTitle} intro={t.auditIntro} actions={actions} tabs={tabs}>
      {children}
    </Page>
  )
}
