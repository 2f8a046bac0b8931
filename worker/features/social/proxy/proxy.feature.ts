import { defineFeature } from '../../../http/feature.ts'
import { oauthProxyOptions } from '../model/oauth-proxy.config.ts'

export const oauthProxy = defineFeature({
  name: 'oauth-proxy',
  options: oauthProxyOptions,
  endpoints: async () => (await import('./proxy.endpoints.ts')).oauthProxyEndpoints,
})
