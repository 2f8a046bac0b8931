import { defineTexts } from '../../lib/texts/texts.ts'

export const guestTexts = defineTexts('anonymous', {
  way: 'Continue as a guest',
  bannerLabel: 'Guest account',
  banner: 'You are signed in as a guest. When you sign out, everything is deleted unless you create an account.',
  haveOne: 'I have an account',
})
