import { WorkerEntrypoint } from 'cloudflare:workers'
import * as z from 'zod'
import { type AuditPage, listAudit } from './features/admin/audit/audit.ts'
import { banUser } from './features/admin/ban.ts'
import { setRole } from './features/admin/set-role.ts'
import { userMay } from './features/admin/standing.ts'
import { revokeUserSession, revokeUserSessions } from './features/admin/user-sessions.ts'
import { apiKeyOptions } from './features/api-key/api-key.config.ts'
import { keyRefusals } from './features/api-key/api-key.errors.ts'
import {
  type ApiKeyChanges,
  type NewApiKey,
  serverCreateInput,
  serverUpdateInput,
  verifyInput,
} from './features/api-key/key-properties.ts'
import { createKey, purgeExpiredKeys, updateKey } from './features/api-key/manage.ts'
import { type PresentedKey, presentKey } from './features/api-key/present-key.ts'
import { refused, type Verification, verifyKey } from './features/api-key/verify.ts'
import { type Entitlements, readEntitlements } from './features/billing/entitlements/entitlements.ts'
import { listUndoneWebhooks, replayWebhook, type UndoneWebhook } from './features/billing/webhook/receive.ts'
import type { CodeType } from './features/email-otp/email-otp.contract.ts'
import { createVerificationOtp, getVerificationOtp } from './features/email-otp/email-otp.ts'
import { setPassword } from './features/email-password/change-password.ts'
import { type Algorithm, algorithms } from './features/jwt/algorithms.ts'
import { jwtErrors } from './features/jwt/jwt.errors.ts'
import { rotateSigningKeys } from './features/jwt/signing-keys.ts'
import { generateOneTimeTokenFor } from './features/one-time-token/one-time-token.ts'
import { createOrganizationFor, type NewOrganization } from './features/organization/create-organization.ts'
import { type AddedMember, addMember } from './features/organization/members/members.ts'
import { findMembership } from './features/organization/membership/membership.store.ts'
import { memberMay } from './features/organization/membership/membership.ts'
import {
  type PresentedMember,
  type PresentedOrganization,
  presentMember,
  presentOrganization,
} from './features/organization/membership/present-membership.ts'
import { type DescribedSession, describeSession, readSession } from './features/session/session.ts'
import { type PresentedTokens, presentAccess, presentTokens } from './features/social/present-tokens.ts'
import { socialErrors } from './features/social/social.errors.ts'
import { type AccountChoice, getAccessToken, refreshAccountTokens } from './features/social/tokens.ts'
import { viewBackupCodes } from './features/two-factor/set-up.ts'
import { totpCode } from './features/two-factor/totp.ts'
import { listUndeliveredEvents, redeliverEvent, type UndeliveredEvent } from './features/webhooks/undelivered.ts'
import { validate } from './http/body.ts'
import { openScope, type Runtime } from './http/open-scope.ts'
import type { Scope } from './identity/scope.ts'
import type { PresentedSession } from './identity/sessions/present-session.ts'
import { setSessionFields } from './identity/sessions/session-fields.ts'
import { listSessions } from './identity/sessions/sessions.store.ts'
import { type PresentedUser, presentUser } from './identity/users/present-user.ts'
import { coreErrors } from './identity/users/users.errors.ts'
import { findUserByEmail, findUserById } from './identity/users/users.store.ts'
import type { FieldValue } from './kit/additional-field.ts'
import { AppError } from './kit/errors.ts'
import type { Permissions } from './kit/permissions.ts'
import { collectPersonalData, type PersonalData } from './personal-data.store.ts'
import type { Env } from './platform/env.ts'

/** What a method answers: its result, or why it was refused. Errors do not travel between Workers as they are. */
export type RpcAnswer<T> = { ok: true; result: Portable<T> } | { ok: false; code: string; message: string }

type Scalar = string | number | boolean | null
type Within<T> = T | T[] | { [name: string]: T }
/** JSON, two levels deep: a type without an end would be one for the compiler of a binding's types, too. */
type JsonValue = Within<Within<Scalar>>

/**
 * A result as it travels: what a configuration decides the type of is JSON. A part of unknown type would make the whole
 * result `never` for the caller (testing/neighbour/rpc-types.ts).
 */
type Portable<T> = unknown extends T
  ? JsonValue
  : T extends Date
    ? T
    : T extends object
      ? { [K in keyof T]: Portable<T[K]> }
      : T

/** What a request has that tells who sends it. */
export interface Credentials {
  /** The Cookie header. */
  cookie?: string
  /** The Authorization header: `Bearer` and a signed token. */
  authorization?: string
  apiKey?: string
}

const permissionQuestion = z.object({
  userId: z.string(),
  permissions: z.record(z.string(), z.array(z.string()).min(1)).refine((wanted) => Object.keys(wanted).length > 0),
  organizationId: z.string().optional(),
})

/**
 * Operations for servers only: methods of this entrypoint for Workers with a service binding, never reachable over
 * HTTP. In the caller's wrangler.toml: `services = [{ binding = "GATEHOUSE", service = "gatehouse", entrypoint = "ServerApi" }]`.
 * The class that a deployment exports is made by `gatehouse(...)`, which gives it the deployment's runtime.
 */
export class ServerApi extends WorkerEntrypoint<Env> {
  /** @internal */
  constructor(
    context: ExecutionContext,
    env: Env,
    private readonly runtime: Runtime,
  ) {
    super(context, env)
  }

  /** Gives a password to a user who has none. */
  setPassword(input: { userId: string; newPassword: string }): Promise<RpcAnswer<{ status: true }>> {
    return this.run(async (scope) => {
      await setPassword(scope, input.userId, input.newPassword)
      return { status: true }
    })
  }

  /** The backup codes that a user has left. */
  viewBackupCodes(input: { userId: string }): Promise<RpcAnswer<{ status: true; backupCodes: string[] }>> {
    return this.run(async (scope) => ({ status: true, backupCodes: await viewBackupCodes(scope, input.userId) }))
  }

  /** Makes a one-time code for an address, in place of an earlier one of its type; the caller sends it. */
  createVerificationOtp(input: { email: string; type: CodeType }): Promise<RpcAnswer<string>> {
    return this.run((scope) => createVerificationOtp(scope, input.email, input.type))
  }

  /** The one-time code that is pending for an address, null without one. It stays pending. */
  getVerificationOtp(input: { email: string; type: CodeType }): Promise<RpcAnswer<{ otp: string | null }>> {
    return this.run(async (scope) => ({ otp: await getVerificationOtp(scope, input.email, input.type) }))
  }

  /** The access token of a user's account at a provider, refreshed when it is about to expire. */
  getAccessToken(input: AccountChoice & { userId: string }): Promise<RpcAnswer<PresentedTokens>> {
    return this.run(async (scope) => presentAccess(await getAccessToken(scope, requireUserId(input), input)))
  }

  /** Refreshes the tokens of a user's account at a provider. */
  refreshToken(input: AccountChoice & { userId: string }): Promise<RpcAnswer<PresentedTokens>> {
    return this.run(async (scope) => presentTokens(await refreshAccountTokens(scope, requireUserId(input), input)))
  }

  /** The TOTP code of this moment for a secret in base32, as it stands in a totpURI. */
  generateTotp(input: { secret: string }): Promise<RpcAnswer<{ code: string }>> {
    return this.run(async (scope) => ({ code: totpCode(scope, input.secret) }))
  }

  /** Creates an organization with somebody as its owner. */
  createOrganization(
    input: NewOrganization & { userId: string },
  ): Promise<RpcAnswer<PresentedOrganization & { members: PresentedMember[] }>> {
    return this.run(async (scope) => {
      const { organization, creator } = await createOrganizationFor(scope, input.userId, input)
      return { ...presentOrganization(organization), members: [presentMember(scope, creator)] }
    })
  }

  /** Makes somebody a member of an organization without an invitation. */
  addMember(input: AddedMember): Promise<RpcAnswer<PresentedMember>> {
    return this.run(async (scope) => presentMember(scope, await addMember(scope, input)))
  }

  /**
   * Publishes the next signing key of an algorithm (the configured one unless given), which signs from `signsFrom` on.
   * Compromised: the earlier keys leave the set and it signs at once (worker/guides/verify-tokens.md).
   */
  rotateSigningKeys(
    input: { algorithm?: Algorithm; compromised?: boolean } = {},
  ): Promise<RpcAnswer<{ kid: string; signsFrom: Date }>> {
    return this.run(async (scope) => {
      const { algorithm, compromised = false } = input
      if (algorithm !== undefined && !algorithms.includes(algorithm)) throw jwtErrors.ALGORITHM_NOT_SUPPORTED()
      return rotateSigningKeys(scope, algorithm, { compromised })
    })
  }

  /** A one-time token for a session. @param input `sessionToken`: signed, as in the cookie or in `set-auth-token` */
  generateOneTimeToken(input: { sessionToken: string }): Promise<RpcAnswer<{ token: string }>> {
    return this.run(async (scope) => ({ token: await generateOneTimeTokenFor(scope, String(input.sessionToken)) }))
  }

  /**
   * Sets fields of a session (session.additionalFields); null takes one away.
   * @param input `sessionToken`: as get-session shows it, without its signature
   * @returns all fields as they are now
   */
  setSessionFields(input: {
    sessionToken: string
    fields: Record<string, FieldValue>
  }): Promise<RpcAnswer<Record<string, FieldValue>>> {
    return this.run((scope) => setSessionFields(scope, String(input.sessionToken), Object(input.fields)))
  }

  /** What a user has paid for, as the billing provider's webhooks have told: one round trip, none to the provider. */
  entitlementsOf(input: { userId: string }): Promise<RpcAnswer<Entitlements>> {
    return this.run((scope) => readEntitlements(scope, requireUserId(input)))
  }

  /** The billing provider's webhooks whose handlers failed, or that could not be read, newest first. */
  undoneWebhooks(): Promise<RpcAnswer<UndoneWebhook[]>> {
    return this.run((scope) => listUndoneWebhooks(scope))
  }

  /** Tries one of them again at once. */
  replayWebhook(input: { id: string }): Promise<RpcAnswer<{ done: boolean }>> {
    return this.run((scope) => replayWebhook(scope, String(input.id)))
  }

  /** Everything that is kept of somebody, without what opens anything: for whoever asks for their data (personal-data.store.ts). */
  exportUser(input: { userId: string }): Promise<RpcAnswer<PersonalData>> {
    return this.run(async (scope) => {
      const data = await collectPersonalData(scope.db, requireUserId(input))
      if (!data) throw coreErrors.USER_NOT_FOUND()
      return data
    })
  }

  /** Events that a webhook's receiver has not taken: given up, or waiting for another try; newest first. */
  undeliveredEvents(): Promise<RpcAnswer<UndeliveredEvent[]>> {
    return this.run((scope) => listUndeliveredEvents(scope))
  }

  /** Tries to deliver one of them at once. */
  redeliverEvent(input: { id: string }): Promise<RpcAnswer<{ delivered: boolean }>> {
    return this.run((scope) => redeliverEvent(scope, String(input.id)))
  }

  /** Gives somebody one role or several, in place of those they have. The last administrator stays one. */
  setRole(input: { userId: string; role: string | string[] }): Promise<RpcAnswer<PresentedUser>> {
    return this.run(async (scope) => presentUser(scope, await setRole(scope, null, input.userId, input.role)))
  }

  /** Bans somebody and ends all that they are signed in with; `expiresIn` is in seconds. */
  banUser(input: { userId: string; reason?: string; expiresIn?: number }): Promise<RpcAnswer<PresentedUser>> {
    return this.run(async (scope) => presentUser(scope, await banUser(scope, null, input.userId, input)))
  }

  /** What administrators have done, newest first; the next page by `cursor`. */
  listAudit(
    input: { userId?: string; actorId?: string; limit?: number; cursor?: string } = {},
  ): Promise<RpcAnswer<AuditPage>> {
    return this.run((scope) => listAudit(scope, input))
  }

  /**
   * Whether a key may be used once more, for something that asks for these permissions, and uses it. A refusal is an
   * ordinary answer: INVALID_API_KEY, KEY_NOT_FOUND (permissions that it has not), KEY_DISABLED, KEY_EXPIRED,
   * USER_IS_BANNED, USAGE_EXCEEDED, RATE_LIMITED (`details.tryAgainIn` in milliseconds).
   */
  async verifyApiKey(input: { key: string; permissions?: Permissions }): Promise<Portable<Verification>> {
    const { success, data } = verifyInput.safeParse(input)
    if (!success) return refused(keyRefusals.INVALID_API_KEY()) as Portable<Verification>
    const verified = await this.within((scope) => verifyKey(scope, data.key, data.permissions), { near: true })
    return verified as Portable<Verification>
  }

  /** Makes a key of a person or of an organization, with whatever properties only servers may set. */
  createApiKey(input: NewApiKey): Promise<RpcAnswer<PresentedKey & { key: string }>> {
    return this.run(async (scope) => {
      const { userId, organizationId, ...properties } = validate(serverCreateInput, input, 'body')
      const owner = userId === undefined ? { organizationId: organizationId! } : { userId }
      const { key, shown } = await createKey(scope, owner, properties, null)
      return { ...presentKey(key), key: shown }
    })
  }

  /** Changes a key; with a userId only if it is that person's. */
  updateApiKey(input: ApiKeyChanges): Promise<RpcAnswer<PresentedKey>> {
    return this.run(async (scope) => {
      const { keyId, userId, ...properties } = validate(serverUpdateInput, input, 'body')
      return presentKey(await updateKey(scope, { id: keyId, server: true, userId }, properties))
    })
  }

  /** Deletes all keys that have expired; at most every ten seconds. */
  async deleteExpiredApiKeys(): Promise<{ success: true; error: null }> {
    await this.within(purgeExpiredKeys)
    return { success: true, error: null }
  }

  /**
   * Who sends a request: the session by the cookie, a bearer token or an API key, and null for nobody. A key's use is
   * counted, and one that is not taken is nobody; verifyApiKey says why.
   * @param credentials the headers of the request, or those of its values that tell
   */
  async getSession(
    credentials: HeadersInit | Credentials,
    options: { disableCookieCache?: boolean } = {},
  ): Promise<{ session: Portable<PresentedSession>; user: Portable<PresentedUser> } | null> {
    // Nobody could tell the browser of an extension.
    const query = { disableCookieCache: options.disableCookieCache === true, disableRefresh: true }
    try {
      const headers = this.headersOf(credentials)
      const read = await this.within((scope) => readSession(scope, query), { headers, near: true })
      return read as { session: Portable<PresentedSession>; user: Portable<PresentedUser> } | null
    } catch (thrown) {
      if (thrown instanceof AppError) return null
      throw thrown
    }
  }

  /** A user by id or by address. A failure: USER_NOT_FOUND. */
  getUser(input: { userId: string } | { email: string }): Promise<RpcAnswer<PresentedUser>> {
    return this.run(async (scope) => {
      const user =
        'userId' in input
          ? await findUserById(scope.db, String(input.userId))
          : await findUserByEmail(scope.db, String(input.email).toLowerCase())
      if (!user) throw coreErrors.USER_NOT_FOUND()
      return presentUser(scope, user)
    })
  }

  /** The live sessions of a user, newest first, each with what is known of its device and place. */
  listSessions(input: { userId: string }): Promise<RpcAnswer<DescribedSession[]>> {
    return this.run(async (scope) => {
      const sessions = await listSessions(scope.db, requireUserId(input), scope.now())
      return Promise.all(sessions.map((session) => describeSession(scope, session)))
    })
  }

  /** Ends one session by its token, or all sessions of a user. The audit log tells of it. */
  revokeSessions(input: { userId: string } | { token: string }): Promise<RpcAnswer<{ status: true }>> {
    return this.run(async (scope) => {
      if ('token' in input) await revokeUserSession(scope, null, String(input.token))
      else await revokeUserSessions(scope, null, requireUserId(input))
      return { status: true }
    })
  }

  /**
   * Whether a user may do all of the given actions: by their roles, or as a member of an organization by those that
   * they have there. Who is no member may nothing. A failure: USER_NOT_FOUND.
   */
  hasPermission(input: {
    userId: string
    permissions: Permissions
    organizationId?: string
  }): Promise<RpcAnswer<{ allowed: boolean }>> {
    return this.run(async (scope) => {
      const { permissions, organizationId, userId } = validate(permissionQuestion, input, 'body')
      if (organizationId === undefined) {
        const user = await findUserById(scope.db, userId)
        if (!user) throw coreErrors.USER_NOT_FOUND()
        return { allowed: userMay(scope, user, permissions) }
      }
      const membership = await findMembership(scope.db, userId, organizationId)
      return { allowed: membership !== null && memberMay(scope, membership.member, permissions) }
    })
  }

  private headersOf(credentials: HeadersInit | Credentials): HeadersInit {
    if (credentials instanceof Headers || Array.isArray(credentials) || !('apiKey' in credentials)) {
      return credentials as HeadersInit
    }
    const { apiKey, ...headers } = credentials as Credentials
    const [name = ''] = [apiKeyOptions.of(this.runtime).apiKeyHeaders].flat()
    return { ...headers, ...(apiKey ? { [name]: apiKey } : {}) }
  }

  private async run<T>(work: (scope: Scope) => Promise<T>): Promise<RpcAnswer<T>> {
    try {
      return { ok: true, result: (await this.within(work)) as Portable<T> }
    } catch (thrown) {
      if (thrown instanceof AppError) return { ok: false, code: thrown.code, message: thrown.message }
      throw thrown
    }
  }

  /** @param near whether a replica of the database may answer */
  private async within<T>(
    work: (scope: Scope) => Promise<T>,
    { headers = {}, near = false }: { headers?: HeadersInit; near?: boolean } = {},
  ): Promise<T> {
    const { runtime, env, ctx: context } = this
    const request = new Request(runtime.settings.baseUrl, { headers })
    const scope = openScope({ request, path: '', env, context, runtime, near })
    try {
      return await work(scope)
    } finally {
      scope.answered()
    }
  }
}

/** Callers need not be typed. @throws EITHER_USERID_OR_SESSION_IS_REQUIRED */
function requireUserId({ userId }: { userId?: unknown }): string {
  if (typeof userId !== 'string' || !userId) throw socialErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED()
  return userId
}
