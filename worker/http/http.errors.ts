import { catalogue } from '../kit/errors.ts'

/** Errors of the steps before a handler. */
export const httpErrors = catalogue({
  NOT_FOUND: [404, 'Not Found'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  /** A device-bound session without a current proof of its key. The session remains; the browser or a new sign-in proves it. */
  SESSION_KEY_REQUIRED: [401, 'This session is bound to a device, which has to prove its key'],
  SESSION_IS_NOT_FRESH: [403, 'Session is not fresh'],
  /** The session belongs to an API key or to an impersonation. */
  OWN_SESSION_REQUIRED: [403, "This request requires the user's own session"],
  /** The access level of the API key does not include the endpoint. */
  API_KEY_ACCESS_DENIED: [403, 'The access level of this API key does not allow this request'],
  FORBIDDEN: [403, 'Forbidden'],
  INVALID_ORIGIN: [403, 'Invalid origin'],
  /** For operations of the RPC entry point. */
  EITHER_USERID_OR_SESSION_IS_REQUIRED: [400, 'Either userId or session is required'],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again later.'],
  PAYLOAD_TOO_LARGE: [413, 'Request body is too large'],
  PREFETCH_REFUSED: [503, 'This address changes data and cannot be prefetched'],
  /** Carries Retry-After. */
  DATABASE_ALMOST_FULL: [503, 'The database is almost full. Please try again later.'],
  UNAVAILABLE: [503, 'A required service is unavailable. Please try again in a moment.'],
  INTERNAL_SERVER_ERROR: [500, 'Internal Server Error'],
})
