import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
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
  token: endpoint({
    method: 'GET',
    path: '/token',
    summary: 'A signed token that says who is signed in, for services that have no session',
    access: 'session',
    answer: z.object({ token: z.string() }),
    errors: [coreErrors.UNAUTHORIZED],
    // The caller; and in a new isolate the key, of which the first has to be made.
    budget: { d1: 3 },
    changes: [],
  }),
  jwks: endpoint({
    method: 'GET',
    path: '/jwks',
    summary: 'The public keys that verify tokens, as a JSON Web Key Set',
    access: 'visitor',
    anyOrigin: true,
    answer: z.object({ keys: z.array(publicKey) }),
    errors: [],
    // The keys; where there are none, the first has to be made.
    budget: { d1: 2 },
    changes: [],
  }),
}
