import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { presentedUser, urlInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { scopesInput, startLimit } from '../model/authorization-input.ts'
import { socialErrors as errors } from '../model/social.errors.ts'

const token = z.string().min(1).max(16_384)

export const signInContract = {
  signInSocial: post('/sign-in/social', {
    summary: 'Starts a sign-in at a provider, or signs in with an id token of the provider',
    access: 'visitor',
    input: {
      body: z.object({
        provider: z.string().max(64),
        callbackURL: urlInput.optional(),
        newUserCallbackURL: urlInput.optional(),
        errorCallbackURL: urlInput.optional(),
        disableRedirect: z.boolean().optional(),
        idToken: z
          .object({
            token,
            nonce: z.string().max(1024).optional(),
            accessToken: token.optional(),
            refreshToken: token.optional(),
            expiresAt: z.number().int().positive().max(8.64e15).optional(),
          })
          .optional(),
        scopes: scopesInput.optional(),
        requestSignUp: z.boolean().optional(),
        loginHint: z.string().max(320).optional(),
      }),
    },
    answer: z.object({
      url: z.string().optional(),
      redirect: z.boolean().optional(),
      token: z.string().optional(),
      user: presentedUser.optional(),
      twoFactorRedirect: z.boolean().optional(),
    }),
    errors: [
      errors.PROVIDER_NOT_FOUND,
      errors.ID_TOKEN_NOT_SUPPORTED,
      errors.INVALID_TOKEN,
      errors.FAILED_TO_GET_USER_INFO,
      errors.USER_EMAIL_NOT_FOUND,
      errors.ACCOUNT_NOT_LINKED,
      errors.SIGNUP_DISABLED,
      errors.UNABLE_TO_LINK_ACCOUNT,
      errors.UNABLE_TO_CREATE_USER,
      core.DISPOSABLE_EMAIL,
      errors.UNABLE_TO_CREATE_VERIFICATION,
      core.FAILED_TO_CREATE_SESSION,
    ],
    limits: { whenFull: 'signs-in', rate: startLimit },
    budget: { d1: 9, kv: 1, durable: 4, outside: 4 },
    changes: ['user', 'session', 'account'],
    audit: 'sign-in.social',
  }),
  signInAtProvider: post('/sign-in/provider', {
    summary: 'Starts a sign-in at a provider from a form of the hosted sign-in, without scripts',
    access: 'visitor',
    origins: { forms: true },
    input: { body: z.object({ provider: z.string().min(1).max(256), callbackURL: urlInput.optional() }) },
    answer: 'page',
    errors: [errors.PROVIDER_NOT_FOUND, errors.UNABLE_TO_CREATE_VERIFICATION],
    limits: { rate: startLimit },
    budget: { kv: 1, durable: 2, outside: 1 },
    changes: ['verification'],
  }),
}
