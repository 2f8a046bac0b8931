import { defineTexts } from '../../lib/texts/texts.ts'

export const stepUpTexts = defineTexts('stepUp', {
  title: 'Confirm that it is you',
  intro: 'This affects the security of your account. Once you confirm, it continues.',
  ask: {
    totp: 'Enter the code from your authenticator app.',
    'backup-code': 'Enter one of your saved backup codes. Each works once.',
    'email-otp': 'We’ll email a code to {address}.',
    'phone-otp': 'We’ll send a code by text message to {number}.',
    passkey: 'Use a passkey of your account. Your browser asks for it.',
    provider: 'You go to {name} and come back to this page. What you typed is kept, except passwords.',
  },
  use: {
    password: 'Use your password',
    passkey: 'Use a passkey',
    totp: 'Use the authenticator app',
    'backup-code': 'Use a backup code',
    'email-otp': 'Get a code by email',
    'phone-otp': 'Get a code by text message',
    provider: 'Continue with {name}',
  },
  sentTo: 'We sent a code to {where}.',
  none: 'This cannot be confirmed in your current session. Sign in again and repeat it.',
  noneForGuest: 'A guest account has nothing to confirm with. Create an account first; you keep what you have.',
  signInAgain: 'Sign in again',
  confirmed: 'You confirmed that it is you.',
  notConfirmed: 'It was not confirmed that it is you, so nothing was changed.',
  again: 'Press “{button}” again to continue.',
  againUnnamed: 'Repeat the last step to continue.',
  kept: 'What you typed is still there, except passwords.',
  keptTyped: 'We kept what you typed before your session ended. It is not saved yet.',
  errors: {
    INVALID_PASSWORD: 'The password is incorrect.',
    INVALID_CODE: 'This code is incorrect. Enter the one that is shown now.',
    INVALID_OTP: 'This code is incorrect. Check it, or request a new one.',
    SESSION_IS_NOT_FRESH: 'This way does not confirm it here. Choose another one.',
  } as Record<string, string>,
})
