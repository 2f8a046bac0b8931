import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import type { CodeType } from './email-otp.contract.ts'
import { createVerificationOtp, getVerificationOtp } from './email-otp.ts'

export class EmailOtpOperations extends Operations {
  /** Creates a one-time code for an address and replaces an earlier one of its type. The caller sends it. */
  createVerificationOtp(input: { email: string; type: CodeType }): Promise<RpcAnswer<string>> {
    return this[run]((scope) => createVerificationOtp(scope, input.email, input.type))
  }

  /** Returns the pending one-time code of an address, or null, without using it. */
  getVerificationOtp(input: { email: string; type: CodeType }): Promise<RpcAnswer<{ otp: string | null }>> {
    return this[run](async (scope) => ({ otp: await getVerificationOtp(scope, input.email, input.type) }))
  }
}
