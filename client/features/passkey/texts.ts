import { defineTexts } from '../../lib/texts/texts.ts'

/** Messages for errors of a ceremony or of the server, by code. */
export const passkeyErrors = defineTexts('passkeyErrors', {
  AUTH_CANCELLED: 'No passkey was used. Try again, or sign in another way.',
  CEREMONY_TIMED_OUT: 'That took too long, and your browser stopped waiting. Try again.',
  CEREMONY_DISPLACED: 'This was stopped because you started something else. Try again.',
  WEBAUTHN_NOT_SUPPORTED: 'This browser does not support passkeys.',
  ERROR_CEREMONY_ABORTED: 'This was canceled.',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY:
    'No passkey was created: this was canceled, or the device cannot check that it is you.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device or password manager already has a passkey for your account.',
  PREVIOUSLY_REGISTERED: 'This passkey is already registered.',
  PASSKEY_SIGN_UP_IS_NOT_ENABLED: 'New accounts need a password here.',
  ERROR_INVALID_DOMAIN: 'Passkeys do not work at this address. Open the site by its name.',
  ERROR_INVALID_RP_ID: 'Passkeys of this site do not work at this address.',
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'The device that stores the passkey had a problem. Try again.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device cannot check that it is you. Set up a PIN, a fingerprint or face recognition on it.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device cannot store passkeys.',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'This device cannot create passkeys that this site accepts.',
  CHALLENGE_NOT_FOUND: 'That took too long. Try again.',
  AUTHENTICATION_FAILED: 'This passkey was not accepted. Try again, or sign in another way.',
  FAILED_TO_VERIFY_REGISTRATION: 'This passkey was not accepted. Your device may not have checked that it is you.',
  AUTHENTICATOR_NOT_ALLOWED:
    'Passkeys of this device or password manager are not allowed here. Use one that your organization provides.',
  PASSKEY_NOT_FOUND: 'This passkey is no longer registered here. Sign in another way.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Someone else has signed in since. Reload the page.',
  TOO_MANY_PASSKEYS: 'Your account has as many passkeys as it can hold. Delete one first.',
  LAST_WAY_TO_SIGN_IN:
    'This passkey is your only way to sign in. First add another passkey or link an account, or confirm your email address.',
} as Record<string, string>)

export const passkeyTexts = defineTexts('passkey', {
  way: 'Continue with a passkey',
  title: 'Passkeys',
  intro: 'Sign in with your fingerprint, your face or your device’s PIN instead of a password.',
  second: 'After your password, you are asked for one of them.',
  empty: 'You have no passkeys yet.',
  add: 'Add a passkey',
  unsupported: 'This browser cannot create passkeys.',
  unnamed: 'Passkey',
  added: 'Added',
  neverUsed: 'Never used',
  copies: {
    backedUp: 'Backed up',
    notYet: 'Not backed up yet',
    key: 'Only on this key',
    device: 'Only on one device',
  },
  removeOne: 'Delete {name}',
  nameTitle: 'Name your passkey',
  nameIntro: 'The passkey has been added. A name helps you tell it from others.',
  renameTitle: 'Rename the passkey',
  removeQuestion: 'Delete “{name}”?',
  removeWhat:
    'You can no longer sign in with it. If your password manager supports it, the passkey disappears there too.',
  saved: 'The name has been saved.',
  removed: '“{name}” has been deleted.',
  made: 'Your password manager now has a passkey for this account. Next time, sign in with it.',
  offerLabel: 'A faster way to sign in',
  offer: 'Next time, sign in with your fingerprint, your face or your PIN. It is faster and safer than a password.',
  later: 'Not now',
})
