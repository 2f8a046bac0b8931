import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/page.tsx'
import { AuditList } from './audit-list.tsx'
import { adminTexts } from './texts.ts'

export default function Audit() {
  const t = useTexts(adminTexts)
  return (
    <Page title={t.auditTitle} intro={t.auditIntro}>
      <Section>
        <AuditList />
      </Section>
    </Page>
  )
}
