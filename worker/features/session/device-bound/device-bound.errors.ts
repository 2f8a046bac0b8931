import { catalogue } from '../../../kit/errors.ts'

export const deviceBoundErrors = catalogue({
  /** A proof without the form, the algorithm or the key of the standard, or for another challenge. */
  INVALID_DEVICE_PROOF: [400, 'Invalid device proof'],
  /** Without a proof of a current challenge; the response has one (section 8.8: the browser repeats the request). */
  DEVICE_PROOF_REQUIRED: [403, 'A proof of the device key for a current challenge is required'],
  /** Another browser has registered a key for the session, or a proof was not made with the session's key. */
  SESSION_COPIED: [401, 'The session was used by another device and has ended'],
  /** The session is already bound. */
  SESSION_ALREADY_BOUND: [400, 'The session is already bound to a device'],
})
