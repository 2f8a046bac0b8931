import { WhyNot } from '../organization/current.tsx'
import { AuditPage } from './frame.tsx'
import { organizationStreams } from './stream-calls.ts'
import { Streams } from './stream-list.tsx'

/** The systems that get the audit log of the active organization. */
export default function AuditStreams() {
  return (
    <AuditPage>
      {({ organization, may }) => (
        <Streams
          of={organizationStreams(organization.id)}
          mayChange={may({ audit: ['update'] })}
          whyNot={<WhyNot wanted={{ audit: ['update'] }} />}
        />
      )}
    </AuditPage>
  )
}
