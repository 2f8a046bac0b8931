import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { endedList } from '../../identity/sessions/ended-list.contract.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { listOf } from '../../kit/page.ts'
import { algorithms } from './algorithms.ts'

/** A public key (RFC 7517; RFC 7518, section 6; RFC 8037, section 2). */
const publicKey = z.object({
  kid: z.string(),
  alg: z.enum(algorithms),
  kty: z.string(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
  n: z.string().optional(),
  e: z.string().optional(),
})

export const jwtContract = {
  token: get('/token', {
    summary: 'Returns a signed token that identifies the user, for services without access to the session',
    // Not for API keys, unless the option jwt.forApiKeys allows them.
    access: 'session',
    answer: z.object({ token: z.string() }),
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED],
    // One read for the caller. In a new isolate, one for the keys, and one to create the first key.
    budget: { d1: 3 },
    changes: [],
  }),
  jwks: get('/jwks', {
    summary: 'Returns the public keys that verify tokens, as a JSON Web Key Set',
    access: 'visitor',
    origins: { any: true },
    answer: z.object({ keys: listOf(publicKey) }),
    errors: [],
    // One call reads the keys. If D1 has no key, a second call creates the first.
    budget: { d1: 2 },
    changes: [],
  }),
  endedSessions: get('/ended-sessions', {
    summary:
      'Lists sessions that ended lately, for servers that verify tokens: the first characters of their ids (claim `sid`), in the order of their ends',
    ...endedList,
  }),
  tokenStatus: post('/token/status', {
    summary: 'Returns whether a token of GET /token is valid and its session has not ended, by the database',
    access: 'visitor',
    input: { body: z.object({ token: z.string().max(16_384) }) },
    answer: z.object({ active: z.boolean() }),
    errors: [],
    // One read for the session. In a new isolate, one for the keys, and one to create the first key.
    budget: { d1: 3 },
    changes: [],
  }),
}
