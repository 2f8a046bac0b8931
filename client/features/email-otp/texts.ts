import { defineTexts } from '../../lib/texts/texts.ts'

export const emailOtpTexts = defineTexts('emailOtp', {
  way: 'Email me a sign-in code',
  title: 'Sign in with a code',
  intro: 'We’ll email you a code. Enter it here to sign in.',
  sentTo: 'If {email} can be used to sign in, we’ve sent a code to it. It is valid for {lifetime}.',
  other: 'Use another address',
  errors: { USER_NOT_FOUND: 'There is no account for this address, and this site is not accepting new ones.' },

  verifyTitle: 'Confirm your email address',
  verifyIntro: 'We’ll send a code to {email}. Enter it here to confirm the address.',
  verifyIntroUnknown: 'We’ll send a code to your address. Enter it here to confirm it.',
  verified: 'Your email address is confirmed.',
  verifyErrors: { USER_NOT_FOUND: 'There is no account with this address.' },
})
