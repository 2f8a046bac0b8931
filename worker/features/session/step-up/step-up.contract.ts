import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors as http } from '../../../http/http.errors.ts'
import { stepUpErrors as errors } from '../../../identity/sign-in/step-up.errors.ts'
import { passwordInput, statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { presentId } from '../../../kit/earlier-ids.ts'
import { seconds } from '../../../kit/time.ts'

/** 3 requests in 10 seconds, per address and path, as for sign-ins. */
const limit = { max: 3, window: seconds(10) }

/** `password`, `passkey`, `totp`, `backup-code`, `email-otp`, `phone-otp`, or `provider:` and the id of a provider. */
const methods = z.array(z.string()).max(100)
const code = z.string().min(1).max(64)

/** The ids of the methods with a sent code in an earlier version (decision 287), which callers may still send. */
const earlier = { 'email-code': 'email-otp', 'phone-code': 'phone-otp' } as const
const sentCode = z
  .enum(['email-otp', 'phone-otp', ...(Object.keys(earlier) as (keyof typeof earlier)[])])
  .transform((id) => presentId(earlier, id))

export const stepUpContract = {
  stepUp: post('/step-up', {
    summary: 'Authenticates the user again in the current session, which keeps its id and token',
    access: 'own-session',
    input: {
      body: z.discriminatedUnion('method', [
        z.object({ method: z.literal('password'), password: passwordInput }),
        z.object({ method: z.enum(['totp', 'backup-code']), code }),
        z.object({ method: sentCode, code }),
        // AuthenticationResponseJSON (WebAuthn, section 5.1.7), which the passkey feature reads.
        z.object({ method: z.literal('passkey'), response: z.looseObject({ id: z.string().max(1400) }) }),
      ]),
    },
    answer: z.object({ authenticatedAt: z.date(), amr: z.array(z.string()).max(10) }),
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      core.INVALID_PASSWORD,
      core.CREDENTIAL_ACCOUNT_NOT_FOUND,
      ...Object.values(errors),
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 3, durable: 3 },
    changes: ['session', 'verification'],
    audit: 'step-up',
  }),
  stepUpMethods: get('/step-up/methods', {
    summary: 'Lists the step-up methods of the caller and returns the time of the last authentication',
    access: 'own-session',
    answer: z.object({ methods, authenticatedAt: z.date(), fresh: z.boolean() }),
    errors: [core.UNAUTHORIZED, http.OWN_SESSION_REQUIRED],
    budget: { d1: 1 },
    reads: { uses: ['wayIn'] },
    changes: [],
  }),
  sendStepUpCode: post('/step-up/send-code', {
    summary: 'Sends a step-up code by email or text message',
    access: 'own-session',
    input: { body: z.object({ method: sentCode }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, http.OWN_SESSION_REQUIRED, errors.STEP_UP_METHOD_NOT_AVAILABLE],
    limits: { rate: limit },
    // One of the round trips only records a failed mail.
    budget: { d1: 2, durable: 2 },
    changes: ['verification'],
  }),
}
