import { defineFeature } from '../../http/feature.ts'
import { rememberedFor, serverKeyOptions } from './server-keys.config.ts'
import type { OptionalPublicConfiguration } from './server-keys.contract.ts'

export const serverKeys = defineFeature({
  name: 'server-keys',
  options: serverKeyOptions,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { serverKeys: true } }),
  outlivesSession: () => ({ here: rememberedFor }),
  gives: ['serverKeys', 'cron', 'stored'],
  endpoints: async () => (await import('./server-keys.endpoints.ts')).serverKeysEndpoints,
  parts: async () => (await import('./server-keys.parts.ts')).serverKeysParts,
  ends: async () => (await import('./server-keys.ends.ts')).serverKeysEnds,
})
