import { catalogue, errorKind } from '../../kit/errors.ts'

export const passkeyErrors = catalogue({
  CHALLENGE_NOT_FOUND: [400, 'Challenge not found'],
  FAILED_TO_VERIFY_REGISTRATION: [400, 'Failed to verify registration'],
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: [401, 'You are not allowed to register this passkey'],
  PASSKEY_SIGN_UP_IS_NOT_ENABLED: [400, 'Signing up with a passkey is not enabled'],
  PREVIOUSLY_REGISTERED: [400, 'previously registered'],
  TOO_MANY_PASSKEYS: [400, 'You have as many passkeys as an account can hold. Delete one first.'],
  AUTHENTICATION_FAILED: [400, 'Authentication failed'],
  PASSKEY_NOT_FOUND: [404, 'Passkey not found'],
  YOU_CANT_DELETE_YOUR_LAST_WAY_IN: [
    400,
    'This passkey is your only way to sign in. Add another passkey or a sign-in provider, or confirm your email address first.',
  ],
})

/** At a sign-in: nobody has registered it, or it has been deleted. Browsers may be told to forget it. */
export const unknownPasskey = errorKind(401, 'PASSKEY_NOT_FOUND', 'Passkey not found')
