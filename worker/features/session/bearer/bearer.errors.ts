import { catalogue } from '../../../kit/errors.ts'

export const proofErrors = catalogue({
  /** A sign-in with the header DPoP; WWW-Authenticate has the reason. Of other requests it is SESSION_KEY_REQUIRED. */
  INVALID_DPOP_PROOF: [401, 'Invalid DPoP proof'],
})
