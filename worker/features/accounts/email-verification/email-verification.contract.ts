import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { getLink, linkQuery } from '../../../http/mailed-link.contract.ts'
import { emailInput, presentedUser, statusAnswer, urlInput } from '../../../identity/users/users.contract.ts'
import { seconds } from '../../../kit/time.ts'
import { emailVerificationErrors as errors } from './email-verification.errors.ts'

export const emailVerificationContract = {
  sendVerificationEmail: post('/send-verification-email', {
    summary: 'Sends a verification mail',
    access: 'visitor',
    input: { body: z.object({ email: emailInput, callbackURL: urlInput.optional() }) },
    answer: statusAnswer,
    errors: [errors.VERIFICATION_EMAIL_ISNT_ENABLED, errors.USER_NOT_FOUND],
    budget: { d1: 1 },
    changes: ['verification'],
  }),
  verifyEmail: getLink('/verify-email', {
    summary: 'Verifies an email address with the token of the mailed link; redirects to callbackURL if given',
    access: 'visitor',
    input: { query: linkQuery(4096) },
    answer: z.object({ status: z.boolean(), user: presentedUser.nullable() }),
    errors: [errors.TOKEN_EXPIRED, errors.INVALID_TOKEN, errors.TOKEN_USER_NOT_FOUND, errors.UNAUTHORIZED],
    // With autoSignInAfterVerification; two of them and the Durable Object only for a second factor.
    budget: { d1: 6, durable: 2 },
    limits: { whenFull: 'signs-in', rate: { max: 20, window: seconds(60) } },
    changes: ['user', 'session'],
    audit: 'verify-email',
  }),
}
