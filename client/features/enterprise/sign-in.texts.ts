import { defineTexts } from '../../lib/texts/define.ts'

export const signInOrganizationTexts = defineTexts('signInOrganization', {
  required: 'Your organization requires single sign-on.',
  offered: 'Your organization has single sign-on.',
  continueWith: 'Continue with {organization}',
  otherWay: 'Sign in another way',
  confirmTitle: 'Sign in to {organization}?',
  confirmIntro: 'Someone, probably you, wants to sign in here through this organization. Continue only if you know it.',
  unknown: 'This sign-in is not available',
  unknownIntro: 'Sign in with your email address.',
  toSignIn: 'Go to the sign-in',
})
