import { ScrollText, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { adminTexts } from './texts.ts'

/** A part of the audit log of the deployment. */
export function AdminAuditPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const t = useTexts(adminTexts)
  return (
    <Page wide title={t.auditTitle} intro={t.auditIntro} actions={actions}>
      <Tabs
        label={t.auditParts}
        items={[
          { path: '/admin/audit', label: t.auditRecords, icon: ScrollText },
          { path: '/admin/audit/streams', label: t.auditStreams, icon: Send },
        ]}
      />
      {children}
    </Page>
  )
}
