import * as z from 'zod'
import { post } from '../../http/endpoint.ts'
import { getLink, linkQuery } from '../../http/mailed-link.contract.ts'
import { emailInput, presentedUser, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { nameInput } from '../../kit/inputs.ts'
import { minutes } from '../../kit/time.ts'
import { magicLinkErrors as errors } from './magic-link.errors.ts'

/** 5 requests a minute, per address and path. */
const limit = { max: 5, window: minutes(1) }

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { magicLink: true }
  lifetimes: { magicLink: number }
}

export const magicLinkContract = {
  signInMagicLink: post('/sign-in/magic-link', {
    summary: 'Mails a link that signs in; the link creates the user if the address is unknown',
    access: 'visitor',
    input: {
      body: z.object({
        email: emailInput,
        name: nameInput.optional(),
        callbackURL: urlInput.optional(),
      }),
    },
    answer: statusAnswer,
    errors: [errors.USER_NOT_FOUND],
    limits: { rate: limit },
    budget: { d1: 1, kv: 1, durable: 1 },
    changes: ['verification'],
  }),
  magicLinkVerify: getLink('/magic-link/verify', {
    summary:
      'Signs in with the token of a mailed link; redirects to callbackURL if given, with an error if the token is invalid',
    access: 'visitor',
    input: { query: linkQuery(256) },
    answer: z.union([
      z.object({ token: z.string(), user: presentedUser }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    errors: [],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 3, kv: 1, durable: 1 },
    changes: ['user', 'session', 'account'],
    audit: 'magic-link.verify',
  }),
}
