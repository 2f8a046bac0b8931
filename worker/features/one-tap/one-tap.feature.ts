import { defineFeature } from '../../http/feature.ts'
import { oneTapOptions } from './one-tap.config.ts'
import { oneTapSources, publicOneTap } from './one-tap.hooks.ts'
import { oneTapRoutes } from './one-tap.routes.ts'

export const oneTap = defineFeature({
  name: 'one-tap',
  routes: oneTapRoutes,
  options: oneTapOptions,
  publicConfiguration: publicOneTap,
  contentSources: oneTapSources,
})
