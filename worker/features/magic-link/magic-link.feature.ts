import { defineFeature } from '../../http/feature.ts'
import { magicLinkOptions } from './magic-link.config.ts'
import { magicLinkRoutes } from './magic-link.routes.ts'

export const magicLink = defineFeature({
  name: 'magic-link',
  routes: magicLinkRoutes,
  options: magicLinkOptions,
  waysIn: ['mailbox'],
  publicConfiguration: (scope) => ({
    features: { magicLink: true },
    lifetimes: { magicLink: magicLinkOptions.of(scope).expiresIn },
  }),
})
