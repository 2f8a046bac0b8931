import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { emailInput, presentedUser, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { minutes } from '../../kit/time.ts'
import { magicLinkErrors as errors } from './magic-link.errors.ts'

/** 5 requests a minute, per address and path. */
const limit = { max: 5, window: minutes(1) }

export const magicLinkContract = {
  signInMagicLink: endpoint({
    method: 'POST',
    path: '/sign-in/magic-link',
    summary: 'Mails a link that signs in, and signs up who is new',
    access: 'visitor',
    body: z.object({
      email: emailInput,
      name: z.string().trim().max(256).optional(),
      callbackURL: urlInput.optional(),
    }),
    answer: statusAnswer,
    errors: [errors.USER_NOT_FOUND],
    limit,
    budget: { d1: 1, kv: 1, durable: 1 },
    changes: ['verification'],
  }),
  magicLinkVerify: endpoint({
    method: 'GET',
    path: '/magic-link/verify',
    summary: 'The mailed link: signs in and redirects to callbackURL when there is one; else redirects with error',
    access: 'visitor',
    query: z.object({ token: z.string().max(256), callbackURL: urlInput.optional() }),
    answer: z.union([
      z.object({ token: z.string(), user: presentedUser }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    redirects: true,
    errors: [],
    limit,
    budget: { d1: 3, kv: 1, durable: 1 },
    changes: ['user', 'session', 'account'],
  }),
}
