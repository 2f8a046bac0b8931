import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { liveErrors } from './live.errors.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { live: true }
}

/** The connection begins with the messages of the last ten seconds: `{"changed": [...], "ago": <milliseconds>}`. */
export const recentMessages = z.string().max(64).pipe(z.stringbool()).optional()

export const liveContract = {
  live: get('/live', {
    summary: 'Opens a WebSocket that names what changes for the user: messages are {"changed": [...]}',
    access: 'session',
    input: {
      query: z.object({
        tab: z
          .string()
          .max(64)
          .regex(/^[\w-]+$/)
          .optional(),
        recent: recentMessages,
      }),
    },
    answer: 'socket',
    errors: [coreErrors.UNAUTHORIZED, httpErrors.INVALID_ORIGIN, liveErrors.UPGRADE_REQUIRED],
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
}
