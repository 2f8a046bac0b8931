import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { sessionMethod } from '../../../identity/sessions/sessions.contract.ts'
import { listOf, pageQuery } from '../../../kit/page.ts'

/** What `GET /config` returns. */
export interface PublicConfiguration {
  /** GET /list-sign-in-methods returns the last use of each. */
  features: { signInMethods: true }
}

export const signInMethodsContract = {
  listSignInMethods: get('/list-sign-in-methods', {
    summary: 'Lists the sign-in methods of the caller with the time of their last use',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(z.object({ method: sessionMethod, lastUsedAt: z.date() })),
    errors: [],
    budget: { d1: 1 },
    changes: [],
    reads: { replica: true },
  }),
}
