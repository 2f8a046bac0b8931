import { defineTexts } from '../../lib/texts/texts.ts'

export const createTexts = defineTexts('createOrganization', {
  createTitle: 'New organization',
  createIntro: 'For you and the people you work with. You will be its owner.',
  createAction: 'Create organization',
  created: '{name} has been created.',
  slug: 'URL slug',
  slugHint: 'Used in links. Letters, digits and hyphens.',
  slugRequired: 'Enter a URL slug.',
  slugChecking: 'Checking …',
  slugFree: 'This slug is available.',
  slugTaken: 'This slug is taken.',
  logo: 'Logo',
  logoHint: 'The web address of a square picture. It starts with https://',
  logoInvalid: 'Enter an address that starts with https://',
})
