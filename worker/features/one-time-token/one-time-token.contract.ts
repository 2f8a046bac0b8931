import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { sessionAndUser } from '../../identity/sessions/sessions.contract.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { oneTimeTokenErrors as errors } from './one-time-token.errors.ts'

export const oneTimeTokenContract = {
  generateOneTimeToken: endpoint({
    method: 'GET',
    path: '/one-time-token/generate',
    summary: 'A token that gives this session to whoever presents it first',
    access: 'own-session',
    answer: z.object({ token: z.string() }),
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.CLIENT_REQUESTS_ARE_DISABLED],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  verifyOneTimeToken: endpoint({
    method: 'POST',
    path: '/one-time-token/verify',
    summary: 'Uses a token up: the session that it was made in, and its user',
    access: 'visitor',
    body: z.object({ token: z.string().max(256) }),
    answer: sessionAndUser,
    errors: [errors.INVALID_TOKEN, errors.TOKEN_EXPIRED, errors.SESSION_NOT_FOUND],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
}
