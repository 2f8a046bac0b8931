import { defineTexts } from '../../kit/texts.ts'

export const pageTexts = defineTexts('page/error', {
  title: 'That did not work',
  back: 'Back to sign in',
  code: 'Code',
  onward: 'One moment',
  next: 'Continue',
  terms: 'Terms',
  privacy: 'Privacy',
  support: 'Support',
})
