import * as z from 'zod'
import { AdminOperations } from './features/admin/admin.rpc.ts'
import { userMay } from './features/admin/standing.ts'
import { keyHeadersOf } from './features/api-key/api-key.config.ts'
import { ApiKeyOperations } from './features/api-key/api-key.rpc.ts'
import { BillingOperations } from './features/billing/billing.rpc.ts'
import { EmailOtpOperations } from './features/email-otp/email-otp.rpc.ts'
import { EmailPasswordOperations } from './features/email-password/email-password.rpc.ts'
import { JwtOperations } from './features/jwt/jwt.rpc.ts'
import { OneTimeTokenOperations } from './features/one-time-token/one-time-token.rpc.ts'
import { findMembership } from './features/organization/membership/membership.store.ts'
import { memberMay } from './features/organization/membership/membership.ts'
import { OrganizationOperations } from './features/organization/organization.rpc.ts'
import { ProfileOperations } from './features/profile/profile.rpc.ts'
import { SessionOperations } from './features/session/session.rpc.ts'
import { readSession } from './features/session/session.ts'
import { SocialOperations } from './features/social/social.rpc.ts'
import { TwoFactorOperations } from './features/two-factor/two-factor.rpc.ts'
import { WebhookOperations } from './features/webhooks/webhooks.rpc.ts'
import { validate } from './http/body.ts'
import type { Runtime } from './http/open-scope.ts'
import { compose, type Portable, type RpcAnswer, requireUserId, run, within } from './http/operations.ts'
import type { PresentedSession } from './identity/sessions/present-session.ts'
import type { PresentedUser } from './identity/users/present-user.ts'
import { coreErrors } from './identity/users/users.errors.ts'
import { findUserById } from './identity/users/users.store.ts'
import { AppError } from './kit/errors.ts'
import type { Permissions } from './kit/permissions.ts'
import { collectPersonalData, type PersonalData } from './personal-data.store.ts'

/** What the features do for other Workers: one line each. */
const FeatureOperations = compose(
  AdminOperations,
  ApiKeyOperations,
  BillingOperations,
  EmailOtpOperations,
  EmailPasswordOperations,
  JwtOperations,
  OneTimeTokenOperations,
  OrganizationOperations,
  ProfileOperations,
  SessionOperations,
  SocialOperations,
  TwoFactorOperations,
  WebhookOperations,
)

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
 */
export class ServerApi extends FeatureOperations {
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
      const headers = headersOf(this.runtime, credentials)
      const read = await this[within]((scope) => readSession(scope, query), { headers, near: true })
      return read as { session: Portable<PresentedSession>; user: Portable<PresentedUser> } | null
    } catch (thrown) {
      if (thrown instanceof AppError) return null
      throw thrown
    }
  }

  /**
   * Whether a user may do all of the given actions: by their roles, or as a member of an organization by those that
   * they have there. Somebody who is not a member may do nothing. A failure: USER_NOT_FOUND.
   */
  hasPermission(input: {
    userId: string
    permissions: Permissions
    organizationId?: string
  }): Promise<RpcAnswer<{ allowed: boolean }>> {
    return this[run](async (scope) => {
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

  /** Everything that is kept of somebody, without what opens anything: for whoever asks for their data (personal-data.store.ts). */
  exportUser(input: { userId: string }): Promise<RpcAnswer<PersonalData>> {
    return this[run](async (scope) => {
      const data = await collectPersonalData(scope.db, requireUserId(input))
      if (!data) throw coreErrors.USER_NOT_FOUND()
      return data
    })
  }
}

/** The entrypoint of one deployment. */
export const serverApi = (runtime: Runtime): typeof ServerApi =>
  class extends ServerApi {
    protected override readonly runtime = runtime
  }

/** The headers that some credentials would be sent in. */
function headersOf(runtime: Runtime, credentials: HeadersInit | Credentials): HeadersInit {
  if (credentials instanceof Headers || Array.isArray(credentials) || !('apiKey' in credentials)) {
    return credentials as HeadersInit
  }
  const { apiKey, ...headers } = credentials as Credentials
  const [name = ''] = keyHeadersOf(runtime)
  return { ...headers, ...(apiKey ? { [name]: apiKey } : {}) }
}
