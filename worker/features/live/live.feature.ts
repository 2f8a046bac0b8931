import { defineFeature } from '../../http/feature.ts'
import { liveOptions } from '../../identity/live.config.ts'
import type { OptionalPublicConfiguration } from './live.contract.ts'

/** Open tabs learn at once about changes of their user. */
export const live = defineFeature({
  name: 'live',
  options: liveOptions,
  // Without the channel, too: pages send it with every call.
  corsHeaders: () => ({ request: ['gatehouse-tab'] }),
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { live: true } }),
  places: ['reactions'],
  endpoints: async () => (await import('./live.endpoints.ts')).liveEndpoints,
  parts: async () => (await import('./live.parts.ts')).liveParts,
})
