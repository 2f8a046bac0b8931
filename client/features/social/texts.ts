import { defineTexts } from '../../lib/texts/define.ts'

export const socialTexts = defineTexts('social', {
  continueWith: 'Continue with {name}',
  all: 'Show {count} more',
  providers: 'Other services to sign in with',
  withoutEmail: '{names}: gives us no email address, so it only works once you have linked it to an account.',
})
