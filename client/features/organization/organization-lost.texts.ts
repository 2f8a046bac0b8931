import { defineTexts } from '../../lib/texts/texts.ts'

export const lostTexts = defineTexts('organizationLost', {
  lost: '{name} no longer exists, or you are no longer in it.',
})
