import { describe, expect, it } from 'vitest'
import { isPartyAccess, isRecencyAsked, serverPermissionOf } from '../http/endpoint.ts'
import { readEndpoints } from '../testing/input-schemas.ts'

/**
 * The one table of the endpoints that change something, and whether they require a recent authentication (security.md,
 * Step-up and credential changes). Server keys, directories, receivers, webhooks and set-up links have no authentication
 * of a user. A new endpoint needs a row here.
 */

const required = {
  /** All calls. */
  always: [
    'GET /passkey/generate-register-options',
    'POST /admin/block-network',
    'POST /admin/create-audit-stream',
    'POST /admin/create-resource',
    'POST /admin/create-server-key',
    'POST /admin/create-service',
    'POST /admin/create-signal-receiver',
    'POST /admin/delete-audit-stream',
    'POST /admin/delete-organization',
    'POST /admin/delete-resource',
    'POST /admin/delete-service',
    'POST /admin/delete-signal-receiver',
    'POST /admin/end-network-sessions',
    'POST /admin/impersonate-user',
    'POST /admin/raise-risk-level',
    'POST /admin/remove-user',
    'POST /admin/rotate-service-secret',
    'POST /admin/set-signal-receiver-status',
    'POST /admin/set-user-password',
    'POST /admin/transfer-organization',
    'POST /admin/unblock-network',
    'POST /admin/update-audit-stream',
    'POST /admin/update-resource',
    'POST /admin/update-service',
    'POST /agents/allow-provider',
    'POST /agents/create',
    'POST /api-key/create',
    'POST /approvals/approve',
    'POST /change-email',
    'POST /link-social',
    'POST /oauth2/delete-client',
    'POST /oauth2/link',
    'POST /oauth2/register',
    'POST /oauth2/rotate-client-secret',
    'POST /organization/create-audit-stream',
    'POST /organization/create-resource',
    'POST /organization/delete',
    'POST /organization/delete-audit-stream',
    'POST /organization/delete-resource',
    'POST /organization/update-audit-stream',
    'POST /organization/update-resource',
    'POST /passkey/delete-passkey',
    'POST /passkey/verify-registration',
    'POST /sso/add-domain',
    'POST /sso/create-connection',
    'POST /sso/create-directory-token',
    'POST /sso/create-setup-link',
    'POST /sso/delete-connection',
    'POST /sso/remove-domain',
    'POST /sso/revoke-directory-token',
    'POST /sso/revoke-setup-link',
    'POST /sso/rotate-directory-token',
    'POST /sso/rotate-key',
    'POST /sso/test-connection',
    'POST /sso/update-connection',
    'POST /sso/update-domain',
    'POST /sso/update-policy',
    'POST /sso/verify-domain',
    'POST /unlink-account',
  ],
  /** Calls with some input, or of some callers: `recentFor` of the endpoint. */
  sometimes: [
    'POST /admin/create-user',
    'POST /admin/set-agent-state',
    'POST /admin/set-role',
    'POST /admin/update-organization-member',
    'POST /admin/update-user',
    'POST /agents/set-state',
    'POST /api-key/update',
    'POST /change-password',
    'POST /oauth2/update-client',
    'POST /organization/invite-member',
    'POST /organization/update-member-role',
    'POST /phone-number/verify',
    'POST /two-factor/disable',
    'POST /two-factor/enable',
    'POST /two-factor/generate-backup-codes',
    'POST /update-user',
  ],
}

/** By the reason. */
const notRequired = {
  /** Sends or begins a proof: it changes nothing but the record of the proof. */
  beginsProof: [
    'GET /passkey/generate-authenticate-options',
    'GET /passkey/second-factor-options',
    'POST /device-session/register',
    'POST /email-otp/send-verification-otp',
    'POST /forget-password',
    'POST /forget-password/email-otp',
    'POST /one-time-token/verify',
    'POST /passkey/generate-authenticate-options',
    'POST /passkey/generate-sign-up-options',
    'POST /phone-number/forget-password',
    'POST /phone-number/request-password-reset',
    'POST /phone-number/send-otp',
    'POST /request-password-reset',
    'POST /send-verification-email',
    'POST /sign-in/magic-link',
    'POST /sign-in/oauth2',
    'POST /sign-in/provider',
    'POST /sign-in/sso',
    'POST /social/send-code',
    'POST /two-factor/send-otp',
  ],
  /** Signs in or registers: the call proves the user, or no account exists yet. */
  provesUser: [
    'GET /callback/:id',
    'GET /magic-link/verify',
    'GET /oauth-proxy-callback',
    'GET /oauth2/callback/:providerId',
    'GET /sso/callback/:providerId',
    'GET /sso/saml2/finish/:providerId',
    'GET /verify-email',
    'POST /callback/:id',
    'POST /email-otp/verify-email',
    'POST /multi-session/set-active',
    'POST /one-tap/callback',
    'POST /passkey/verify-authentication',
    'POST /passkey/verify-second-factor',
    'POST /sign-in/access',
    'POST /sign-in/anonymous',
    'POST /sign-in/email',
    'POST /sign-in/email-otp',
    'POST /sign-in/phone-number',
    'POST /sign-in/social',
    'POST /sign-in/username',
    'POST /sign-up/email',
    'POST /sign-up/passkey',
    'POST /social/verify-code',
    'POST /two-factor/verify-backup-code',
    'POST /two-factor/verify-otp',
    'POST /two-factor/verify-totp',
  ],
  /** The call carries a mailed or texted proof. */
  carriesProof: [
    'GET /delete-user/callback',
    'POST /change-email/revert',
    'POST /email-otp/reset-password',
    'POST /phone-number/reset-password',
    'POST /reset-password',
  ],
  /** The protocol decides: the proof is a code, a token, the credentials of a client or a signature. */
  isProtocol: [
    'GET /mcp/authorize',
    'GET /oauth2/authorize',
    'GET /oauth2/end-session',
    'GET /sso/saml2/logout/:providerId',
    'POST /device/code',
    'POST /device/token',
    'POST /mcp/register',
    'POST /mcp/token',
    'POST /oauth2/bc-authorize',
    'POST /oauth2/device_authorization',
    'POST /oauth2/par',
    'POST /oauth2/revoke',
    'POST /oauth2/token',
    'POST /sso/saml2/acs/:providerId',
    'POST /sso/saml2/logout/:providerId',
  ],
  /** Only ends access. An owner who notices an attack must not be delayed. */
  endsAccess: [
    'POST /admin/ban-user',
    'POST /admin/remove-organization-member',
    'POST /admin/revoke-server-key',
    'POST /admin/revoke-user-session',
    'POST /admin/revoke-user-sessions',
    'POST /admin/stop-impersonating',
    'POST /agents/end-provider',
    'POST /api-key/delete',
    'POST /change-email/cancel',
    'POST /multi-session/revoke',
    'POST /oauth2/delete-connection',
    'POST /organization/cancel-invitation',
    'POST /organization/leave',
    'POST /organization/reject-invitation',
    'POST /organization/remove-member',
    'POST /organization/remove-team',
    'POST /organization/remove-team-member',
    'POST /revoke-other-sessions',
    'POST /revoke-session',
    'POST /revoke-sessions',
    'POST /sign-out',
    'POST /sso/sign-out',
    'POST /two-factor/forget-devices',
  ],
  /** The user decides about access of an application on a page of ours, in a session of their own. */
  decidesConsent: [
    'POST /agents/allow',
    'POST /approvals/deny',
    'POST /device/approve',
    'POST /device/deny',
    'POST /oauth2/consent',
    'POST /oauth2/device/answer',
  ],
  /** Changes no way to sign in, no identifier, no credential, no role and no membership. */
  changesNoCredential: [
    'GET /one-time-token/generate',
    'POST /admin/redeliver',
    'POST /admin/unban-user',
    'POST /admin/verify-signal-receiver',
    'POST /avatar',
    'POST /organization/add-team-member',
    'POST /organization/create',
    'POST /organization/create-team',
    'POST /organization/logo',
    'POST /organization/set-active',
    'POST /organization/set-active-team',
    'POST /organization/update',
    'POST /organization/update-team',
    'POST /passkey/update-passkey',
    'POST /usage/ingest',
  ],
  /** Returns data of the caller; what it writes is a record of that. */
  readsOnly: [
    'POST /account-info',
    'POST /admin/export-attacks',
    'POST /admin/export-audit',
    'POST /admin/export-security-events',
    'POST /admin/export-users',
    'POST /get-access-token',
    'POST /organization/export-access-review',
    'POST /organization/export-audit',
    'POST /refresh-token',
  ],
  /** The codes of the specification require a password, a recent authentication or a mailed token. */
  ownRules: ['POST /delete-user'],
  /** The inviter has granted the role, with a recent authentication if it administers. */
  grantedByInviter: ['POST /organization/accept-invitation'],
  /** Is the recent authentication, or a part of it. */
  isStepUp: ['GET /step-up/passkey-options', 'POST /step-up', 'POST /step-up/provider', 'POST /step-up/send-code'],
}

const endpoints = (await readEndpoints()).filter(
  (endpoint) => endpoint.changes.length > 0 && serverPermissionOf(endpoint) === null && !isPartyAccess(endpoint.access),
)
const named = (some: typeof endpoints) => [...new Set(some.map(({ method, path }) => `${method} ${path}`))].sort()

const isAlways = ({ access, accessRules: { recentFor } = {} }: (typeof endpoints)[number]) =>
  access === 'recent-authentication' || (typeof recentFor === 'function' && recentFor.length === 0)

describe('an endpoint that changes something', () => {
  it('requires a recent authentication, or has a reason in the table', () => {
    expect(named(endpoints.filter((one) => !isRecencyAsked(one)))).toEqual(Object.values(notRequired).flat().sort())
  })

  it('requires it for all calls, or for some', () => {
    const asked = endpoints.filter(isRecencyAsked)
    expect(named(asked.filter(isAlways))).toEqual([...required.always].sort())
    expect(named(asked.filter((one) => !isAlways(one)))).toEqual([...required.sometimes].sort())
  })

  it('requires a session of the user where the reason is their decision or the end of their access', () => {
    const decisions = new Set<string>(notRequired.decidesConsent)
    const lax = endpoints.filter(
      ({ method, path, access }) => decisions.has(`${method} ${path}`) && access !== 'own-session',
    )
    expect(named(lax)).toEqual([])
  })
})
