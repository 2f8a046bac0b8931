import { defineFeature } from '../../http/feature.ts'
import { magicLinkOptions } from './magic-link.config.ts'
import type { OptionalPublicConfiguration } from './magic-link.contract.ts'

export const magicLink = defineFeature({
  name: 'magic-link',
  options: magicLinkOptions,
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: { magicLink: true },
    lifetimes: { magicLink: magicLinkOptions.of(scope).expiresIn },
  }),
  gives: ['keeps'],
  endpoints: async () => (await import('./magic-link.endpoints.ts')).magicLinkEndpoints,
  ends: async () => (await import('./magic-link.ends.ts')).magicLinkEnds,
})
