import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { sessionMethod } from '../../../identity/sessions/sessions.contract.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { knownAccountsErrors as errors } from './known-accounts.errors.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { knownAccounts: true }
}

const id = z.string().min(1).max(32)

/** The sealed cookie of the browser authorizes these calls. They read no account, so that nothing shows whether it exists. */
export const knownAccountsContract = {
  listKnownAccounts: get('/known-accounts/list', {
    summary:
      'Lists the accounts that have signed in with this browser, the last one first; only for pages of this origin',
    access: 'visitor',
    answer: z.object({
      accounts: z
        .array(
          z.object({
            id: z.string(),
            /** The first word of the name; null without a name. */
            name: z.string().nullable(),
            /** The first character of the address with its domain, or the end of a number. */
            hint: z.string(),
            /** Of the last sign-in: a method, the id of a provider, or `sso`. */
            method: sessionMethod,
          }),
        )
        .max(5),
    }),
    errors: [],
    // Leaves out the account of the session.
    budget: { d1: 1 },
    changes: [],
  }),
  chooseKnownAccount: post('/known-accounts/choose', {
    summary: 'Returns what a sign-in with an account of this browser starts with; without a sign-in',
    access: 'visitor',
    input: { body: z.object({ id }) },
    answer: z.object({
      /** The address, number or username. */
      identifier: z.string(),
      method: sessionMethod,
      /** The id of the passkey of the last sign-in, for `allowCredentials`. */
      credentialId: z.string().nullable(),
    }),
    errors: [errors.KNOWN_ACCOUNT_NOT_FOUND],
    budget: {},
    changes: [],
  }),
  forgetKnownAccounts: post('/known-accounts/forget', {
    summary: 'Removes an account from the list of this browser, or all of them without an id',
    access: 'visitor',
    input: { body: z.object({ id: id.optional() }) },
    answer: statusAnswer,
    errors: [],
    budget: {},
    changes: [],
  }),
}
