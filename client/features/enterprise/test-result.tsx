import { useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { Note } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { Connection } from './manager.ts'
import { ssoTexts } from './texts.ts'

type Result = NonNullable<Connection['lastTest']>

/** The kinds of failures by the codes of the server. */
const kinds = {
  saml_signature: 'signature',
  saml_issuer: 'issuer',
  saml_no_subject: 'address',
  sso_no_address: 'address',
  email_not_found: 'address',
  saml_algorithm: 'algorithm',
  saml_encrypted: 'algorithm',
  saml_audience: 'target',
  saml_recipient: 'target',
  saml_destination: 'target',
  saml_expired: 'expired',
  saml_status: 'refused',
  access_denied: 'refused',
  sso_claims_not_allowed: 'claims',
  sso_invalid_response: 'response',
  saml_invalid_document: 'response',
  no_code: 'response',
  sso_connection_not_found: 'unreachable',
  temporarily_unavailable: 'unreachable',
  please_restart_the_process: 'restart',
  saml_wrong_request: 'restart',
} as const

function useFailure(code: string): string {
  const { failures } = useTexts(ssoTexts)
  return Object.hasOwn(kinds, code) ? failures[kinds[code as keyof typeof kinds]] : failures.other(code)
}

export function TestBadge({ lastTest }: Pick<Connection, 'lastTest'>) {
  const t = useTexts(ssoTexts)
  if (!lastTest) return <Badge>{t.notTested}</Badge>
  return lastTest.error === null ? <Badge tone="success">{t.passed}</Badge> : <Badge tone="danger">{t.failed}</Badge>
}

/** The outcome of the last test: what to change after a failure. */
export function TestResult({ result }: { result: Result }) {
  const t = useTexts(ssoTexts)
  const failure = useFailure(result.error ?? '')
  const passed = result.error === null
  return (
    <Note tone={passed ? 'success' : 'danger'} live>
      <div className="grid gap-1.5">
        <p>
          {passed ? t.testPassed : failure}{' '}
          <span className="text-soft">
            <Time date={new Date(result.at)} />
          </span>
        </p>
        {result.detail && (
          <p dir="auto" className="text-sm wrap-anywhere text-soft">
            {result.detail}
          </p>
        )}
        {result.attributes.length > 0 && (
          <p className="text-sm wrap-anywhere text-soft">{t.received(result.attributes.join(', '))}</p>
        )}
      </div>
    </Note>
  )
}
