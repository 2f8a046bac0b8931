import { WorkerEntrypoint } from 'cloudflare:workers'
import { config } from './config.ts'
import { type AuditPage, listAudit } from './features/admin/audit/audit.ts'
import { banUser } from './features/admin/ban.ts'
import { setRole } from './features/admin/set-role.ts'
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
import { type PresentedTokens, presentAccess, presentTokens } from './features/social/present-tokens.ts'
import { socialErrors } from './features/social/social.errors.ts'
import { type AccountChoice, getAccessToken, refreshAccountTokens } from './features/social/tokens.ts'
import { viewBackupCodes } from './features/two-factor/set-up.ts'
import { totpCode } from './features/two-factor/totp.ts'
import { openScope } from './http/open-scope.ts'
import type { Scope } from './identity/scope.ts'
import { type PresentedUser, presentUser } from './identity/users/present-user.ts'
import { AppError } from './kit/errors.ts'
import type { Env } from './platform/env.ts'
import { readConfig } from './read-config.ts'
import { buildRuntime } from './runtime.ts'

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

  private async run<T>(work: (scope: Scope) => Promise<T>): Promise<RpcAnswer<T>> {
    const runtime = buildRuntime(readConfig(config, this.env), this.env)
    const scope = openScope({
      request: new Request(runtime.settings.baseUrl),
      path: '',
      env: this.env,
      context: this.ctx,
      runtime,
    })
    try {
      return { ok: true, result: await work(scope) }
    } catch (thrown) {
      if (thrown instanceof AppError) return { ok: false, code: thrown.code, message: thrown.message }
      throw thrown
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
