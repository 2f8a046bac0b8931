import { defineFeature } from '../../http/feature.ts'
import { oauthProxyOptions } from '../social/proxy/proxy.config.ts'
import { oauthProxyRoutes } from './oauth-proxy.routes.ts'

export const oauthProxy = defineFeature({
  name: 'oauth-proxy',
  routes: oauthProxyRoutes,
  options: oauthProxyOptions,
})
