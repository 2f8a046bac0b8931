import { describe, expect, it } from 'vitest'
import { purposeOf, refuseWithoutRoom } from '../http/edge/require-room.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { AuditActor } from '../identity/model/audit-context.ts'
import { readEndpoints } from '../testing/input-schemas.ts'

/**
 * The endpoints that write nothing while the database is nearly full (decision 320). A new endpoint that changes something is
 * refused then: it needs a row here, or a purpose in its contract (`limits.whenFull`).
 */
const refused = {
  /** Of strangers, which 85 % refuses already. */
  newUsersAndClients: [
    'POST /mcp/register',
    'POST /oauth2/register',
    'POST /sign-in/anonymous',
    'POST /sign-up/email',
    'POST /sign-up/passkey',
  ],
  /** Creates a row that stays. */
  creates: [
    'POST /admin/create-audit-stream',
    'POST /admin/create-resource',
    'POST /admin/create-server-key',
    'POST /admin/create-service',
    'POST /admin/create-signal-receiver',
    'POST /admin/create-user',
    'POST /admin/impersonate-user',
    'POST /agents/allow',
    'POST /agents/allow-provider',
    'POST /agents/create',
    'POST /api-key/create',
    'POST /api/server/add-domain',
    'POST /api/server/add-member',
    'POST /api/server/create-api-key',
    'POST /api/server/create-connection',
    'POST /api/server/create-invitation',
    'POST /api/server/create-organization',
    'POST /api/server/create-setup-link',
    'POST /api/server/create-user',
    'POST /approvals/approve',
    'POST /organization/accept-invitation',
    'POST /organization/add-team-member',
    'POST /organization/create',
    'POST /organization/create-audit-stream',
    'POST /organization/create-resource',
    'POST /organization/create-team',
    'POST /organization/invite-member',
    'POST /sso/add-domain',
    'POST /sso/create-connection',
    'POST /sso/create-directory-token',
    'POST /sso/create-setup-link',
  ],
  /** Changes content: names, pictures, settings. */
  changesContent: [
    'POST /admin/update-audit-stream',
    'POST /admin/update-resource',
    'POST /admin/update-service',
    'POST /admin/update-user',
    'POST /api/server/set-client-resources',
    'POST /api/server/set-session-fields',
    'POST /api/server/update-domain',
    'POST /api/server/update-organization',
    'POST /api/server/update-user',
    'POST /api/server/verify-domain',
    'POST /avatar',
    'POST /oauth2/update-client',
    'POST /organization/logo',
    'POST /organization/set-active',
    'POST /organization/set-active-team',
    'POST /organization/update',
    'POST /organization/update-audit-stream',
    'POST /organization/update-resource',
    'POST /organization/update-team',
    'POST /passkey/update-passkey',
    'POST /sso/update-domain',
    'POST /sso/verify-domain',
    'POST /update-user',
  ],
  /** The holder of a set-up link, which a later call uses again. */
  setUp: [
    'POST /sso/setup/add-domain',
    'POST /sso/setup/create-connection',
    'POST /sso/setup/read-metadata',
    'POST /sso/setup/settings',
    'POST /sso/setup/test-connection',
    'POST /sso/setup/update-connection',
    'POST /sso/setup/verify-domain',
  ],
  /** Of other systems, which repeat it. */
  eventsOfSystems: [
    'POST /admin/redeliver',
    'POST /admin/verify-signal-receiver',
    'POST /api/server/record-agent-use',
    'POST /api/server/redeliver',
    'POST /polar/webhooks',
    'POST /ssf/verify',
    'POST /usage/ingest',
  ],
  /** A read whose disclosure has an audit record. The command line exports without one. */
  readsWithRecord: [
    'POST /admin/export-attacks',
    'POST /admin/export-audit',
    'POST /admin/export-security-events',
    'POST /admin/export-users',
    'POST /organization/export-access-review',
    'POST /organization/export-audit',
  ],
}

const endpoints = await readEndpoints()
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

describe('an endpoint that changes something', () => {
  it('has a purpose for which it writes to a nearly full database, or is in the table', () => {
    const found = endpoints.filter((one) => purposeOf(one) === null).map(nameOf)
    expect([...new Set(found)].sort()).toEqual(Object.values(refused).flat().sort())
  })

  it('states no purpose that follows from what it changes', () => {
    const idle = endpoints.filter(
      ({ changes, limits: { whenFull, creates } = {} }) =>
        whenFull !== undefined &&
        (changes.every((change) => change === 'verification') || (creates === 'ends' && whenFull === 'ends')),
    )
    expect(idle.map(nameOf)).toEqual([])
  })
})

describe('the decision', () => {
  const isRefused = (endpoint: Endpoint, actor: AuditActor, fullness: number, creates?: 'user') => {
    try {
      refuseWithoutRoom(endpoint, actor, fullness, creates)
      return false
    } catch {
      return true
    }
  }
  const named = (name: string) => endpoints.find((one) => nameOf(one) === name)!
  const user: AuditActor = { type: 'user', id: 'u' }
  const visitor: AuditActor = { type: 'visitor', id: null }
  const administrator: AuditActor = { type: 'administrator', id: 'a' }

  it.each([
    ['POST /organization/create', user, undefined, 0.95],
    ['POST /organization/create', { ...user, isGuest: true }, undefined, 0.85],
    ['POST /admin/create-user', administrator, 'user', 0.95],
    ['POST /sign-up/email', visitor, undefined, 0.85],
    ['POST /sign-in/anonymous', visitor, undefined, 0.85],
    ['POST /oauth2/register', visitor, undefined, 0.85],
    ['POST /oauth2/register', user, undefined, 0.95],
    ['POST /mcp/register', visitor, undefined, 0.85],
    ['GET /callback/:id', visitor, 'user', 0.85],
    ['GET /callback/:id', visitor, undefined, null],
    ['POST /sign-in/email', visitor, undefined, null],
    ['POST /sign-out', visitor, undefined, null],
    ['POST /change-password', user, undefined, null],
    ['POST /admin/ban-user', administrator, undefined, null],
    ['POST /delete-user', user, undefined, null],
    ['POST /oauth2/token', visitor, undefined, null],
    ['GET /get-session', visitor, undefined, null],
    ['POST /scim/v2/:connection/:resource', { type: 'directory', id: 'd' }, 'user', 0.85],
    ['PATCH /scim/v2/:connection/:resource/:id', { type: 'directory', id: 'd' }, undefined, null],
    ['POST /polar/webhooks', visitor, undefined, 0.95],
  ] as const)('%s by %o creating %s: refused from %s', (name, actor, creates, from) => {
    const levels = [0, 0.7, 0.849, 0.85, 0.949, 0.95, 1]
    expect(levels.filter((fullness) => isRefused(named(name), actor, fullness, creates))).toEqual(
      from === null ? [] : levels.filter((fullness) => fullness >= from),
    )
  })
})
