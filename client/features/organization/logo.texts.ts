import { defineTexts } from '../../lib/texts/texts.ts'

export const logoTexts = defineTexts('organizationLogo', {
  choose: 'Upload a logo',
  change: 'Change logo',
  remove: 'Remove logo',
  saved: 'The logo has been saved.',
  byAddress: 'Use a web address instead',
})
