import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import type { FormField } from '../../identity/users/additional-fields.ts'
import { statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { minutes } from '../../kit/time.ts'

/** What `GET /config` returns; features add their own. */
export interface PublicConfiguration {
  name: string
  /** Mails are shown at /dev/mailbox. */
  development: boolean
  passwordLength: { min: number; max: number }
  signIn: { flow: 'identifier-first' | 'combined' }
  /** Seconds that links and codes are valid. */
  lifetimes: { passwordReset: number }
  /** Fields of the configuration that forms show. */
  additionalFields: FormField[]
  features: {
    signUp: boolean
    emailAndPassword: boolean
    changeEmail: boolean
    deleteUser: boolean
    /** A sign-up mails a link that verifies the address. */
    verifyOnSignUp: boolean
  }
}

export const publicConfigContract = {
  ok: get('/ok', {
    summary: 'Returns the health of the Worker',
    access: 'visitor',
    answer: z.object({ ok: z.boolean() }),
    errors: [],
    budget: {},
    changes: [],
  }),
  checkCallback: get('/check-callback', {
    summary: 'Checks whether a callbackURL is a permitted redirect target',
    access: 'visitor',
    input: { query: z.object({ callbackURL: urlInput }) },
    // A separate limit: another site can make a browser use up the general one, which would block the user in the app.
    limits: { rate: { max: 300, window: minutes(1) } },
    answer: statusAnswer,
    errors: [],
    budget: { durable: 1 },
    changes: [],
  }),
  error: get('/error', {
    summary: 'Returns a page that describes the error of a redirect',
    access: 'visitor',
    input: {
      query: z.object({
        error: z.string().max(16_384).optional(),
        error_description: z.string().max(16_384).optional(),
      }),
    },
    answer: 'page',
    errors: [],
    budget: {},
    changes: [],
  }),
  publicConfig: get('/config', {
    summary: 'Returns the public configuration for the hosted screens: name, features and limits',
    access: 'visitor',
    // Features add the values for their own screens.
    answer: z
      .object({
        name: z.string(),
        development: z.boolean(),
        passwordLength: z.object({ min: z.number(), max: z.number() }),
        signIn: z.object({ flow: z.string() }),
        /** The lifetimes of links and codes in seconds, for texts. */
        lifetimes: z.record(z.string(), z.number()),
        features: z.record(z.string(), z.boolean()),
      })
      .catchall(z.any()),
    errors: [],
    budget: {},
    reads: { uses: ['publicConfiguration'] },
    changes: [],
  }),
}
