import { sendMailAfter } from '../../../identity/messages/send.ts'
import type { Caller, Scope, StepUpFactor } from '../../../identity/scope.ts'
import { stepUpErrors as errors } from '../../../identity/sign-in/step-up.errors.ts'
import { confirmationMail, confirmationMailKind } from '../../../identity/sign-in/step-up.mails.ts'
import { completeStepUp } from '../../../identity/sign-in/step-up.ts'
import { verifyConfirmationCode } from '../../../identity/sign-in/step-up-codes.ts'
import { type CodeRules, issueCode } from '../../../identity/verifications/one-time-codes.ts'
import { hours, minutes } from '../../../kit/time.ts'

const kind = 'email:step-up'

/** The same settings as for codes of sign-ins. */
const rules: CodeRules = {
  length: 6,
  expiresIn: minutes(5),
  allowedAttempts: 3,
  guesses: { max: 10, window: hours(1) },
}

/** A code to the verified address. */
export const emailFactor: StepUpFactor = {
  method: 'email-otp',
  factor: 'first',
  isOffered: (_scope, user) => user.emailVerified && !user.emailIsPlaceholder,
  async send(scope, { session, user }) {
    const make = async () => {
      const sent = await issueCode(scope, kind, session.id, rules, user)
      return confirmationMail(scope, user, { code: sent, expiresIn: rules.expiresIn })
    }
    await sendMailAfter(scope, { to: user.email, kind: confirmationMailKind, make })
  },
  async verify(scope: Scope, caller: Caller, { code }: { code: string }) {
    const right = await verifyConfirmationCode(scope, caller, kind, rules, code)
    return right((use) =>
      completeStepUp(scope, caller, { method: 'email-otp', amr: ['otp'], use, late: errors.OTP_HAS_EXPIRED }),
    )
  },
}
