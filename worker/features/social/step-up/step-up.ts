import { methodAtProvider } from '../../../identity/model/method.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { noteSecurityEvent } from '../../../identity/security/security-events.ts'
import { stepUpErrors as errors } from '../../../identity/sign-in/step-up.errors.ts'
import { hasIdentity } from '../../../identity/sign-in/step-up.store.ts'
import { completeStepUp, needsSecondFactor, readMethods } from '../../../identity/sign-in/step-up.ts'
import { AppError } from '../../../kit/errors.ts'
import { clockTolerance } from '../../../kit/foreign-jwt.ts'
import { ms } from '../../../kit/time.ts'
import { findCustomOptions } from '../custom-provider.ts'
import { anyConfiguredProvider, configuredProvider } from '../find-provider.ts'
import { startAuthorization } from '../model/authorization.ts'
import type { CallbackOutcome } from '../model/callback-outcome.ts'
import { productionOrigin } from '../model/oauth-proxy.config.ts'
import type { ProviderTokens } from '../model/provider.ts'
import type { AuthorizationState } from '../model/state.ts'

/** Whether a caller can be sent to a provider for a step-up. Another deployment would lack the session's cookie. */
export const canStepUpAt = (scope: Scope, id: string): boolean =>
  productionOrigin(scope) === null && (configuredProvider(scope, id) !== null || findCustomOptions(scope, id) !== null)

/** Starts a step-up at a linked provider. @returns its URL @throws STEP_UP_METHOD_NOT_AVAILABLE */
export async function startStepUp(
  scope: Scope,
  { user, session }: Caller,
  request: { provider: string; callbackURL: string; errorCallbackURL?: string | undefined },
): Promise<string> {
  const { provider: id, ...targets } = request
  const isOffered = (await readMethods(scope, user)).includes(`provider:${id}`)
  const configured = isOffered ? await anyConfiguredProvider(scope, id) : null
  if (!configured) throw errors.STEP_UP_METHOD_NOT_AVAILABLE()
  const stepUp = { userId: user.id, sessionId: session.id, startedAt: scope.now().getTime() }
  return startAuthorization(scope, configured, { ...targets, stepUp })
}

/**
 * Finishes a step-up of a live session: the identity must be linked to its user, and the provider must have
 * authenticated the user after the start, where it returns the time (OpenID Connect Core, section 2).
 */
export async function finishStepUp(
  scope: Scope,
  { stepUp, provider, callbackURL }: AuthorizationState,
  subject: string,
  { claims }: Pick<ProviderTokens, 'claims'>,
): Promise<CallbackOutcome> {
  const { userId, sessionId, startedAt } = stepUp!
  const caller = await scope.caller()
  const error = 'step_up_failed'
  if (caller?.session.id !== sessionId || caller.user.id !== userId) {
    return { error, detail: 'another session is signed in' }
  }
  const method = methodAtProvider(provider)
  const refuse = (detail: string) => {
    const { user } = caller
    noteSecurityEvent(scope, { type: 'step-up-failed', outcome: 'failure', user, method, sessionId })
    return { error, detail }
  }
  const authTime = claims?.auth_time
  if (authTime !== undefined && !(Number(authTime) * 1000 >= startedAt - ms(clockTolerance))) {
    return refuse('the provider has not authenticated the user again')
  }
  // The user may have set up a second factor since the start.
  if (await needsSecondFactor(scope, caller.user)) return refuse('the user has a second factor')
  try {
    const guard = hasIdentity(userId, provider, subject)
    await completeStepUp(scope, caller, { method, amr: ['fed'], guard, late: errors.AUTHENTICATION_FAILED })
    return { to: callbackURL }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return refuse('the identity is not linked to the user')
  }
}
