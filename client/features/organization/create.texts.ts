import { defineTexts } from '../../lib/texts/texts.ts'

export const createTexts = defineTexts(
  {
    createTitle: 'New organization',
    createIntro: 'For you and the people you work with. You will be its owner.',
    createAction: 'Create organization',
    created: (name: string) => `${name} has been created.`,
    slug: 'URL slug',
    slugHint: 'Used in links. Letters, digits and hyphens.',
    slugRequired: 'Enter a URL slug.',
    slugChecking: 'Checking …',
    slugFree: 'This slug is available.',
    slugTaken: 'This slug is taken.',
    logo: 'Logo',
    logoHint: 'The web address of a square picture. It starts with https://',
    logoInvalid: 'Enter an address that starts with https://',
  },
  {
    createTitle: 'Neue Organisation',
    createIntro: 'Für dich und die Menschen, mit denen du arbeitest. Du bekommst die Inhaberrolle.',
    createAction: 'Organisation anlegen',
    created: (name) => `${name} ist angelegt.`,
    slug: 'URL-Kürzel',
    slugHint: 'Wird in Links verwendet. Buchstaben, Ziffern und Bindestriche.',
    slugRequired: 'Gib ein URL-Kürzel ein.',
    slugChecking: 'Wird geprüft …',
    slugFree: 'Dieses Kürzel ist frei.',
    slugTaken: 'Dieses Kürzel ist vergeben.',
    logo: 'Logo',
    logoHint: 'Die Webadresse eines quadratischen Bildes. Sie beginnt mit https://',
    logoInvalid: 'Gib eine Adresse ein, die mit https:// beginnt.',
  },
)
