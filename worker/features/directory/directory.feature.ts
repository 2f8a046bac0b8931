import { defineFeature } from '../../http/feature.ts'
import { directoryIsOn, directoryOptions } from './directory.config.ts'
import type { OptionalPublicConfiguration } from './tokens/tokens.contract.ts'

/** Directory sync (SCIM 2.0) of the connections of organizations. */
export const directory = defineFeature({
  name: 'directory',
  options: directoryOptions,
  on: directoryIsOn,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { directory: true } }),
  places: ['signingIn', 'recording'],
  gives: ['raisedMemberLimit', 'cron', 'stored'],
  endpoints: async () => (await import('./directory.endpoints.ts')).directoryEndpoints,
  parts: async () => (await import('./directory.parts.ts')).directoryParts,
  ends: async () => (await import('./directory.ends.ts')).directoryEnds,
})
