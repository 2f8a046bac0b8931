import { catalogue, errorKind } from '../../kit/errors.ts'

export const passkeyErrors = catalogue({
  CHALLENGE_NOT_FOUND: [400, 'Challenge not found'],
  FAILED_TO_VERIFY_REGISTRATION: [400, 'Failed to verify registration'],
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: [401, 'You are not allowed to register this passkey'],
  PASSKEY_SIGN_UP_IS_NOT_ENABLED: [400, 'Signing up with a passkey is not enabled'],
  AUTHENTICATOR_NOT_ALLOWED: [403, 'Passkeys of this authenticator are not allowed'],
  PREVIOUSLY_REGISTERED: [400, 'previously registered'],
  TOO_MANY_PASSKEYS: [400, 'You have reached the maximum number of passkeys. Delete one first.'],
  AUTHENTICATION_FAILED: [400, 'Authentication failed'],
  PASSKEY_NOT_FOUND: [404, 'Passkey not found'],
})

/** At a sign-in: the passkey is unknown or deleted. A page may signal the browser to remove it. */
export const unknownPasskey = errorKind(401, 'PASSKEY_NOT_FOUND', 'Passkey not found')
