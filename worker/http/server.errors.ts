import { catalogue } from '../kit/errors.ts'

/** Errors of every operation that a server key calls. */
export const serverErrors = catalogue({
  SERVER_KEY_REQUIRED: [401, 'A server key is required as Authorization: Bearer'],
  /** Also a revoked key, and a key of another deployment. */
  INVALID_SERVER_KEY: [401, 'Invalid server key'],
  SERVER_KEY_EXPIRED: [401, 'The server key has expired'],
  /** A server key is a secret of a back end; a page would reveal it to its visitors. */
  SERVER_KEY_IN_BROWSER: [403, 'A server key must not be used in a browser'],
  SERVER_KEY_ADDRESS_NOT_ALLOWED: [403, 'The server key does not allow this address'],
  /** Carries `permission`. */
  SERVER_KEY_PERMISSION_MISSING: [403, 'The server key does not have the permission'],
})

/** Of operations that change something, with an Idempotency-Key. */
export const idempotencyErrors = catalogue({
  INVALID_IDEMPOTENCY_KEY: [400, 'Idempotency-Key must be 1 to 255 visible ASCII characters'],
  IDEMPOTENCY_KEY_REUSED: [409, 'This Idempotency-Key belongs to another request'],
  /** The first request still runs, or ended without an answer less than a minute ago. Carries Retry-After. */
  IDEMPOTENT_REQUEST_IN_PROGRESS: [409, 'A request with this Idempotency-Key is in progress'],
  /** It wrote to the database, and its answer was not stored. A repetition does not run it again. */
  IDEMPOTENT_ANSWER_LOST: [409, 'The request with this Idempotency-Key took effect, but its answer was lost'],
})
