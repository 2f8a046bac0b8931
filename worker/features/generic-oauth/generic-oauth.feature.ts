import { defineFeature } from '../../http/feature.ts'
import { customProviderOptions } from '../social/custom/custom.config.ts'
import { genericOAuthRoutes } from './generic-oauth.routes.ts'

export const genericOAuth = defineFeature({
  name: 'generic-oauth',
  routes: genericOAuthRoutes,
  options: customProviderOptions,
})
