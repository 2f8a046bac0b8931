import { AdminAuditPage } from '../admin/audit-page.tsx'
import { useRights } from '../admin/rights.ts'
import { deploymentStreams } from './stream-calls.ts'
import { Streams } from './stream-list.tsx'

/** The systems that get the audit log of the whole deployment. */
export default function DeploymentStreams() {
  const { may } = useRights()
  return (
    <AdminAuditPage>
      <Streams of={deploymentStreams} mayChange={may({ audit: ['update'] })} />
    </AdminAuditPage>
  )
}
