import { defineTexts } from '../../lib/texts/define.ts'

export const socialTexts = defineTexts('social', {
  continueWith: 'Continue with {name}',
  all: 'Show {count} more',
  providers: 'Other services to sign in with',
  withoutEmail: 'Only after you have linked it to an account: {names}.',
})
