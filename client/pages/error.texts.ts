import { defineTexts } from '../lib/texts/define.ts'

export const errorTexts = defineTexts('error', {
  title: 'That did not work',
  signIn: 'Back to sign in',
  toAccount: 'Go to your account',
})

/**
 * Attackers can write the address of the page: it shows codes only, no other text.
 * @returns null without a code, or with that of a provider that gave none
 */
export const shownCode = (given: string): string | null =>
  /^[A-Za-z0-9_' ]{1,64}$/.test(given) && given !== 'Unknown' ? given : null
