import { defineParts } from '../../http/feature.ts'
import { refuseCommon } from '../../identity/accounts/common-passwords.ts'
import { confirmPassword } from '../../identity/accounts/passwords.ts'
import type { StepUpInput } from '../../identity/lifecycle.ts'
import type { Caller, Scope, StepUpFactor } from '../../identity/scope.ts'
import { passwordStands } from '../../identity/sessions/sessions.store.ts'
import { hasPassword } from '../../identity/sign-in/step-up.store.ts'
import { completeStepUp } from '../../identity/sign-in/step-up.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'

/** Uses the guess budget of password confirmations. @throws INVALID_PASSWORD, CREDENTIAL_ACCOUNT_NOT_FOUND */
const passwordFactor: StepUpFactor = {
  method: 'password',
  factor: 'first',
  has: hasPassword,
  async verify(scope: Scope, caller: Caller, { password }: Extract<StepUpInput, { method: 'password' }>) {
    const hash = await confirmPassword(scope, caller.user, password)
    return completeStepUp(scope, caller, {
      method: 'password',
      amr: ['pwd'],
      guard: passwordStands(caller.user.id, hash),
      late: core.INVALID_PASSWORD,
    })
  },
}

export const emailPasswordParts = defineParts({
  steps: {
    choosingPassword: refuseCommon,
  },
  wayIn: { stepUp: [passwordFactor] },
})
