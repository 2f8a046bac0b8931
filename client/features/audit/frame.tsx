import { ScrollText, Send, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { type Current, WhyNot, WithOrganization } from '../organization/current.tsx'
import { auditTexts } from './texts.ts'

interface AuditPageProps {
  actions?(current: Current): ReactNode
  children(current: Current): ReactNode
}

/** A part of the audit log of the active organization, for members who may read it. */
export function AuditPage({ actions, children }: AuditPageProps) {
  const t = useTexts(auditTexts)
  const head = { wide: true, title: t.title, intro: t.intro }
  const tabs = [
    { path: '/organization/audit', label: t.records, icon: ScrollText },
    { path: '/organization/audit/access-review', label: t.review, icon: UserCheck },
    { path: '/organization/audit/streams', label: t.streams, icon: Send },
  ]
  return (
    <WithOrganization {...head} tabs>
      {(current) => {
        const mayRead = current.may({ audit: ['read'] })
        return (
          <Page {...head} key={current.organization.id} tabs={mayRead && tabs} actions={mayRead && actions?.(current)}>
            {mayRead ? children(current) : <WhyNot wanted={{ audit: ['read'] }} />}
          </Page>
        )
      }}
    </WithOrganization>
  )
}
