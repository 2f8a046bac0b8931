/** The events of the sign-in log. A new kind is one more member here; its texts are typed by this list. */
export const securityEventTypes = [
  'sign-in',
  'sign-in-failed',
  'sign-in-challenged',
  'locked-out',
  'access-refused',
  'step-up',
  'step-up-failed',
  'password-set',
  'password-changed',
  'password-reset',
  'email-changed',
  'email-change-reverted',
  'unproven-access-ended',
  'username-changed',
  'phone-number-added',
  'phone-number-changed',
  'phone-number-removed',
  'passkey-added',
  'passkey-removed',
  'provider-linked',
  'provider-unlinked',
  'two-factor-enabled',
  'two-factor-disabled',
  'backup-codes-created',
  'api-key-created',
  'api-key-deleted',
  'server-key-created',
  'server-key-revoked',
  'oauth-client-created',
  'client-secret-rotated',
  'oauth-client-changed',
  'oauth-client-deleted',
  'sessions-ended',
  'session-copied',
  'impersonation-started',
  'impersonation-stopped',
  'impersonated-act',
] as const

export type SecurityEventType = (typeof securityEventTypes)[number]

/**
 * The events that the owner of the account is notified of. `sign-in`: only from a new device or
 * country; `sign-in-challenged`: only if no code followed.
 */
export const securityNotices = [
  'sign-in',
  'sign-in-challenged',
  'password-set',
  'password-changed',
  'password-reset',
  'email-changed',
  'email-change-reverted',
  'unproven-access-ended',
  'username-changed',
  'phone-number-added',
  'phone-number-changed',
  'phone-number-removed',
  'passkey-added',
  'passkey-removed',
  'provider-linked',
  'provider-unlinked',
  'two-factor-enabled',
  'two-factor-disabled',
  'backup-codes-created',
  'api-key-created',
  'server-key-created',
  'oauth-client-created',
  'client-secret-rotated',
  'oauth-client-changed',
  'oauth-client-deleted',
  'sessions-ended',
  'session-copied',
] as const satisfies readonly SecurityEventType[]

export type SecurityNotice = (typeof securityNotices)[number]

export const isNoticed = (type: SecurityEventType): type is SecurityNotice =>
  (securityNotices as readonly SecurityEventType[]).includes(type)
