import { defineFeature } from '../../../http/feature.ts'
import { oneTapOptions } from './one-tap.config.ts'

export const oneTap = defineFeature({
  name: 'one-tap',
  options: oneTapOptions,
  gives: ['publicConfiguration', 'contentSources', 'keeps'],
  endpoints: async () => (await import('./one-tap.endpoints.ts')).oneTapEndpoints,
  parts: async () => (await import('./one-tap.parts.ts')).oneTapParts,
  ends: async () => (await import('./one-tap.ends.ts')).oneTapEnds,
})
