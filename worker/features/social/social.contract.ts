import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { seconds } from '../../kit/time.ts'
import { socialErrors as errors, unsupportedProvider } from './social.errors.ts'

/** 3 requests in 10 seconds, per address and path. */
const signingIn = { max: 3, window: seconds(10) }

const providerId = z.string().min(1).max(64)
const token = z.string().min(1).max(16_384)
const scopes = z.array(z.string().min(1).max(256)).max(50)
const profile = z.record(z.string(), z.unknown())

const accountChoice = z.object({
  providerId: z.string().max(256),
  accountId: z.string().max(1024).optional(),
  /** Only server-side callers may name another user; over HTTP the session decides. */
  userId: z.string().max(256).optional(),
})

const accountTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  tokenType: z.string().optional(),
  accessTokenExpiresAt: z.date().optional(),
  refreshTokenExpiresAt: z.date().optional(),
  scopes: z.array(z.string()),
  idToken: z.string().optional(),
})

/** What a provider sends is read by the feature itself, which answers with a redirect whatever is wrong with it. */
const whatProvidersSend = z.record(z.string(), z.unknown())

const callback = {
  path: '/callback/:id',
  access: 'visitor',
  params: z.object({ id: providerId }),
  query: whatProvidersSend,
  answer: 'redirect',
  errors: [],
  budget: { d1: 10, kv: 2, durable: 3, outside: 6 },
} as const

export const socialContract = {
  signInSocial: endpoint({
    method: 'POST',
    path: '/sign-in/social',
    summary: 'Starts a sign-in at a provider, or signs in by an id token that the app has got from it',
    access: 'visitor',
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
      scopes: scopes.optional(),
      requestSignUp: z.boolean().optional(),
      loginHint: z.string().max(320).optional(),
    }),
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
      errors.UNABLE_TO_CREATE_VERIFICATION,
      core.FAILED_TO_CREATE_SESSION,
    ],
    limit: signingIn,
    budget: { d1: 9, kv: 1, durable: 4, outside: 4 },
    changes: ['user', 'session', 'account'],
  }),
  callback: endpoint({
    ...callback,
    method: 'GET',
    summary: 'Where a provider sends the browser back to',
    changes: ['user', 'session', 'account'],
  }),
  postedCallback: endpoint({
    ...callback,
    method: 'POST',
    summary: 'The same for a provider that posts a form from its own site',
    body: whatProvidersSend,
    forms: true,
    foreignPosts: true,
    changes: ['user', 'session', 'account'],
  }),
  linkSocial: endpoint({
    method: 'POST',
    path: '/link-social',
    summary: 'Starts linking an identity at a provider to the user',
    access: 'own-session',
    body: z.object({
      provider: z.string().max(64),
      callbackURL: urlInput.optional(),
      errorCallbackURL: urlInput.optional(),
      scopes: scopes.optional(),
    }),
    answer: z.object({ url: z.string(), redirect: z.boolean() }),
    errors: [core.UNAUTHORIZED, errors.PROVIDER_NOT_FOUND, errors.UNABLE_TO_CREATE_VERIFICATION],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  getAccessToken: endpoint({
    method: 'POST',
    path: '/get-access-token',
    summary: "The access token of one of the user's accounts, refreshed when it is about to expire",
    access: 'own-session',
    body: accountChoice,
    answer: accountTokens,
    errors: [
      core.UNAUTHORIZED,
      unsupportedProvider,
      errors.ACCOUNT_NOT_FOUND,
      errors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN,
    ],
    budget: { d1: 13, kv: 2, durable: 2, outside: 3 },
    changes: ['account'],
  }),
  refreshToken: endpoint({
    method: 'POST',
    path: '/refresh-token',
    summary: "Refreshes the tokens of one of the user's accounts",
    access: 'own-session',
    body: accountChoice,
    answer: accountTokens,
    errors: [core.UNAUTHORIZED, unsupportedProvider, errors.ACCOUNT_NOT_FOUND, errors.FAILED_TO_REFRESH_ACCESS_TOKEN],
    budget: { d1: 13, kv: 2, durable: 2, outside: 3 },
    changes: ['account'],
  }),
  accountInfo: endpoint({
    method: 'POST',
    path: '/account-info',
    summary: "What the provider says today about one of the user's accounts",
    access: 'session',
    body: z.object({ accountId: z.string().max(1024) }),
    answer: z.object({
      // Providers that know more of a person (VK) tell it.
      user: z
        .object({
          id: z.string(),
          name: z.string(),
          email: z.string().nullable(),
          image: z.string().nullable(),
          emailVerified: z.boolean(),
        })
        .catchall(z.any()),
      data: profile,
    }),
    errors: [
      core.UNAUTHORIZED,
      errors.ACCOUNT_NOT_FOUND,
      errors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN,
      errors.FAILED_TO_GET_USER_INFO,
    ],
    budget: { d1: 13, kv: 2, durable: 2, outside: 6 },
    changes: ['account'],
  }),
}
