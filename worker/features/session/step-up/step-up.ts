import type { StepUpInput } from '../../../identity/lifecycle.ts'
import type { FactorMethod } from '../../../identity/model/method.ts'
import type { Caller, Scope, StepUpFactor } from '../../../identity/scope.ts'
import { noteSecurityEvent } from '../../../identity/security/security-events.ts'
import { stepUpErrors as errors } from '../../../identity/sign-in/step-up.errors.ts'
import { factorFor, type SteppedUp } from '../../../identity/sign-in/step-up.ts'
import { AppError } from '../../../kit/errors.ts'

/** The caller authenticates again inside the session. Refused attempts are in the sign-in log. */
export async function verifyStepUp(scope: Scope, caller: Caller, input: StepUpInput): Promise<SteppedUp> {
  const factor = await requireFactor(scope, caller, input.method)
  try {
    return await factor.verify(scope, caller, input as never)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) {
      const { session, user } = caller
      const { method } = input
      noteSecurityEvent(scope, { type: 'step-up-failed', outcome: 'failure', user, method, sessionId: session.id })
    }
    throw thrown
  }
}

/** Sends the code of a step-up. @throws STEP_UP_METHOD_NOT_AVAILABLE */
export async function sendStepUpCode(scope: Scope, caller: Caller, method: FactorMethod): Promise<void> {
  const { send } = await requireFactor(scope, caller, method)
  if (!send) throw errors.STEP_UP_METHOD_NOT_AVAILABLE()
  await send(scope, caller)
}

/** @throws STEP_UP_METHOD_NOT_AVAILABLE: also for a first factor of a user with a second one */
async function requireFactor(scope: Scope, { user }: Caller, method: FactorMethod): Promise<StepUpFactor> {
  const factor = await factorFor(scope, user, method)
  if (!factor) throw errors.STEP_UP_METHOD_NOT_AVAILABLE()
  return factor
}
