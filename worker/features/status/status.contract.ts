import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { statusAnswer, urlInput } from '../../identity/users/users.contract.ts'

export const statusContract = {
  ok: endpoint({
    method: 'GET',
    path: '/ok',
    summary: 'Whether the Worker answers',
    access: 'visitor',
    answer: z.object({ ok: z.boolean() }),
    errors: [],
    budget: {},
    changes: [],
  }),
  checkCallback: endpoint({
    method: 'GET',
    path: '/check-callback',
    summary: 'Whether a browser may be sent to a callbackURL: every endpoint refuses the others, this one does no more',
    access: 'visitor',
    query: z.object({ callbackURL: urlInput }),
    answer: statusAnswer,
    errors: [],
    budget: {},
    changes: [],
  }),
  error: endpoint({
    method: 'GET',
    path: '/error',
    summary: 'A page that says what went wrong, for browsers that were redirected here',
    access: 'visitor',
    query: z.object({ error: z.string().optional(), error_description: z.string().optional() }),
    answer: 'page',
    errors: [],
    budget: {},
    changes: [],
  }),
  publicConfig: endpoint({
    method: 'GET',
    path: '/config',
    summary: 'What the hosted screens have to know: the name, and what is switched on',
    access: 'visitor',
    // Features add what their own screens need.
    answer: z
      .object({
        name: z.string(),
        development: z.boolean(),
        passwordLength: z.object({ min: z.number(), max: z.number() }),
        /** Seconds that links and codes live, for the sentences that say so. */
        lifetimes: z.record(z.string(), z.number()),
        features: z.record(z.string(), z.boolean()),
      })
      .catchall(z.any()),
    errors: [],
    budget: {},
    changes: [],
  }),
}
