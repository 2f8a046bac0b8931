import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { codeType } from './email-otp.contract.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { createVerificationOtp, getVerificationOtp } from './email-otp.ts'

const input = z.object({ email: z.string().max(1024), type: codeType })

export const emailOtpOperations = {
  createVerificationOtp: operation(
    {
      summary:
        'Creates a one-time code for an address and replaces an earlier one of its type. The caller sends the code.',
      permission: 'credentials:write',
      input,
      answer: z.string(),
      errors: [errors.INVALID_EMAIL],
      budget: { d1: 2, durable: 2 },
      changes: ['verification'],
    },
    (scope, { email, type }) => createVerificationOtp(scope, email, type),
  ),
  getVerificationOtp: operation(
    {
      summary: 'Returns the pending one-time code of an address, or null, without using it.',
      permission: 'credentials:read',
      input,
      answer: z.object({ otp: z.string().nullable() }),
      errors: [errors.INVALID_EMAIL],
      budget: { d1: 2, durable: 2 },
      changes: [],
    },
    async (scope, { email, type }) => ({ otp: await getVerificationOtp(scope, email, type) }),
  ),
}
