import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { sessionAndUser } from '../../../identity/sessions/sessions.contract.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import { oneTimeTokenErrors as errors } from './one-time-token.errors.ts'

export const oneTimeTokenContract = {
  generateOneTimeToken: get('/one-time-token/generate', {
    summary: 'Creates a single-use token for this session',
    access: 'own-session',
    answer: z.object({ token: z.string() }),
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.CLIENT_REQUESTS_ARE_DISABLED],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  verifyOneTimeToken: post('/one-time-token/verify', {
    summary: 'Exchanges a single-use token for its session and user',
    access: 'visitor',
    input: { body: z.object({ token: z.string().max(256) }) },
    answer: sessionAndUser,
    errors: [errors.INVALID_TOKEN, errors.TOKEN_EXPIRED, errors.SESSION_NOT_FOUND],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
}
