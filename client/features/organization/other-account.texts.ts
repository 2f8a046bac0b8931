import { defineTexts } from '../../lib/texts/texts.ts'

export const otherAccountTexts = defineTexts('otherAccount', {
  signedInAs: 'You are signed in as {email}.',
  useInvited: 'Sign in with the address that the invitation was sent to.',
  switchTo: 'Switch to {email}',
  toAccount: 'Go to your account',
})
