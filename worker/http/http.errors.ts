import { catalogue } from '../kit/errors.ts'

/** What is answered before any feature is asked. */
export const httpErrors = catalogue({
  NOT_FOUND: [404, 'Not Found'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  SESSION_IS_NOT_FRESH: [403, 'Session is not fresh'],
  /** The session is that of an API key, or of an administrator who acts as somebody else. */
  OWN_SESSION_REQUIRED: [403, 'Only the person themselves can do this, in a session of their own'],
  FORBIDDEN: [403, 'Forbidden'],
  INVALID_ORIGIN: [403, 'Invalid origin'],
  /** To a server that calls an operation of the RPC entrypoint. */
  EITHER_USERID_OR_SESSION_IS_REQUIRED: [400, 'Either userId or session is required'],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again later.'],
  PAYLOAD_TOO_LARGE: [413, 'Request body is too large'],
  PREFETCH_REFUSED: [503, 'This address does something when it is opened, so it is not prefetched'],
  UNAVAILABLE: [503, 'Something we need cannot be reached. Please try again in a moment.'],
  INTERNAL_SERVER_ERROR: [500, 'Internal Server Error'],
})
