import { defineTexts } from '../../kit/texts.ts'

export const pageTexts = defineTexts('page/error', {
  title: 'That did not work',
  back: 'Back to sign in',
  toAccount: 'Go to your account',
  code: 'Code',
  onward: 'One moment',
  next: 'Continue',
  terms: 'Terms',
  privacy: 'Privacy',
  support: 'Support',
})
