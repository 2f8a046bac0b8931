import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import type { CodeType } from './email-otp.contract.ts'
import { createVerificationOtp, getVerificationOtp } from './email-otp.ts'

export class EmailOtpOperations extends Operations {
  /** Makes a one-time code for an address, in place of an earlier one of its type; the caller sends it. */
  createVerificationOtp(input: { email: string; type: CodeType }): Promise<RpcAnswer<string>> {
    return this[run]((scope) => createVerificationOtp(scope, input.email, input.type))
  }

  /** The one-time code that is pending for an address, null without one. It stays pending. */
  getVerificationOtp(input: { email: string; type: CodeType }): Promise<RpcAnswer<{ otp: string | null }>> {
    return this[run](async (scope) => ({ otp: await getVerificationOtp(scope, input.email, input.type) }))
  }
}
