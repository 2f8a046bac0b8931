import { WorkerEntrypoint } from 'cloudflare:workers'
import type * as z from 'zod'
import { config } from './config.ts'
import { type AuditPage, listAudit } from './features/admin/audit/audit.ts'
import { banUser } from './features/admin/ban.ts'
import { setRole } from './features/admin/set-role.ts'
import { keyRefusals } from './features/api-key/api-key.errors.ts'
import { serverCreateInput, serverUpdateInput, verifyInput } from './features/api-key/key-properties.ts'
import { createKey, purgeExpiredKeys, updateKey } from './features/api-key/manage.ts'
import { type PresentedKey, presentKey } from './features/api-key/present-key.ts'
import { refused, type Verification, verifyKey } from './features/api-key/verify.ts'
import { type Entitlements, readEntitlements } from './features/billing/entitlements/entitlements.ts'
import { listUndoneWebhooks, replayWebhook } from './features/billing/webhook/receive.ts'
import type { CodeType } from './features/email-otp/email-otp.contract.ts'
import { createVerificationOtp, getVerificationOtp } from './features/email-otp/email-otp.ts'
import { setPassword } from './features/email-password/change-password.ts'
import { type Algorithm, algorithms } from './features/jwt/algorithms.ts'
import { jwtErrors } from './features/jwt/jwt.errors.ts'
import { rotateSigningKeys } from './features/jwt/signing-keys.ts'
import { generateOneTimeTokenFor } from './features/one-time-token/one-time-token.ts'
import { createOrganizationFor, type NewOrganization } from './features/organization/create-organization.ts'
import { type AddedMember, addMember } from './features/organization/members/members.ts'
import { presentMember, presentOrganization } from './features/organization/membership/present-membership.ts'
import { readSession } from './features/session/session.ts'
import { type PresentedTokens, presentAccess, presentTokens } from './features/social/present-tokens.ts'
import { socialErrors } from './features/social/social.errors.ts'
import { type AccountChoice, getAccessToken, refreshAccountTokens } from './features/social/tokens.ts'
import { viewBackupCodes } from './features/two-factor/set-up.ts'
import { totpCode } from './features/two-factor/totp.ts'
import { validate } from './http/body.ts'
import { openScope, type Runtime } from './http/open-scope.ts'
import type { SessionRead } from './identity/lifecycle.ts'
import type { Scope } from './identity/scope.ts'
import { type PresentedUser, presentUser } from './identity/users/present-user.ts'
import { coreErrors } from './identity/users/users.errors.ts'
import { AppError } from './kit/errors.ts'
import type { Permissions } from './kit/permissions.ts'
import { collectPersonalData, type PersonalData } from './personal-data.store.ts'
import type { Env } from './platform/env.ts'
import { readConfig } from './read-config.ts'
import { buildRuntime } from './runtime.ts'

/** Built with the first call, and again only where the environment is another one: an isolate has one. */
let built: { env: Env; runtime: Runtime } | undefined

function runtimeOf(env: Env): Runtime {
  if (built?.env !== env) built = { env, runtime: buildRuntime(readConfig(config, env), env) }
  return built.runtime
}

/** What a method answers: its result, or why it was refused. Errors do not travel between Workers as they are. */
export type RpcAnswer<T> = { ok: true; result: T } | { ok: false; code: string; message: string }

/**
 * Operations for servers only: methods of this entrypoint for Workers with a service binding, never reachable over
 * HTTP. In the caller's wrangler.toml: `services = [{ binding = "GATEHOUSE", service = "gatehouse", entrypoint = "ServerApi" }]`.
 */
export class ServerApi extends WorkerEntrypoint<Env> {
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
  ): Promise<RpcAnswer<ReturnType<typeof presentOrganization> & { members: ReturnType<typeof presentMember>[] }>> {
    return this.run(async (scope) => {
      const { organization, creator } = await createOrganizationFor(scope, input.userId, input)
      return { ...presentOrganization(organization), members: [presentMember(scope, creator)] }
    })
  }

  /** Makes somebody a member of an organization without an invitation. */
  addMember(input: AddedMember): Promise<RpcAnswer<ReturnType<typeof presentMember>>> {
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

  /** What a user has paid for, as the billing provider's webhooks have told: one round trip, none to the provider. */
  entitlementsOf(input: { userId: string }): Promise<RpcAnswer<Entitlements>> {
    return this.run((scope) => readEntitlements(scope, requireUserId(input)))
  }

  /** The billing provider's webhooks whose handlers failed, or that could not be read, newest first. */
  undoneWebhooks(): Promise<RpcAnswer<Awaited<ReturnType<typeof listUndoneWebhooks>>>> {
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
  async verifyApiKey(input: { key: string; permissions?: Permissions }): Promise<Verification> {
    const { success, data } = verifyInput.safeParse(input)
    if (!success) return refused(keyRefusals.INVALID_API_KEY())
    return this.within((scope) => verifyKey(scope, data.key, data.permissions), { near: true })
  }

  /** Makes a key of a person or of an organization, with whatever properties only servers may set. */
  createApiKey(input: z.input<typeof serverCreateInput>): Promise<RpcAnswer<PresentedKey & { key: string }>> {
    return this.run(async (scope) => {
      const { userId, organizationId, ...properties } = validate(serverCreateInput, input, 'body')
      const owner = userId === undefined ? { organizationId: organizationId! } : { userId }
      const { key, shown } = await createKey(scope, owner, properties, null)
      return { ...presentKey(key), key: shown }
    })
  }

  /** Changes a key; with a userId only if it is that person's. */
  updateApiKey(input: z.input<typeof serverUpdateInput>): Promise<RpcAnswer<PresentedKey>> {
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
   * Who sends a request: the session by the cookie, a bearer token or an API key in its headers, and null for nobody.
   * A key's use is counted, and one that is not taken is nobody; verifyApiKey says why.
   */
  async getSession(
    headers: HeadersInit,
    options: { disableCookieCache?: boolean } = {},
  ): Promise<{ session: SessionRead['session']; user: SessionRead['user'] } | null> {
    // Nobody could tell the browser of an extension.
    const query = { disableCookieCache: options.disableCookieCache === true, disableRefresh: true }
    try {
      return await this.within((scope) => readSession(scope, query), { headers, near: true })
    } catch (thrown) {
      if (thrown instanceof AppError) return null
      throw thrown
    }
  }

  private async run<T>(work: (scope: Scope) => Promise<T>): Promise<RpcAnswer<T>> {
    try {
      return { ok: true, result: await this.within(work) }
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
    const runtime = runtimeOf(this.env)
    const request = new Request(runtime.settings.baseUrl, { headers })
    const scope = openScope({ request, path: '', env: this.env, context: this.ctx, runtime, near })
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
