import { defineFeature } from '../../../http/feature.ts'
import { accessIdentityOptions } from './access-identity.config.ts'
import type { OptionalPublicConfiguration } from './access-identity.contract.ts'

export const accessIdentity = defineFeature({
  name: 'access-identity',
  options: accessIdentityOptions,
  on: (options) => {
    const { team, audience } = accessIdentityOptions.of({ options })
    return team !== null && audience !== null
  },
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { accessIdentity: true } }),
  gives: ['keeps'],
  endpoints: async () => (await import('./access-identity.endpoints.ts')).accessIdentityEndpoints,
  ends: async () => (await import('./access-identity.ends.ts')).accessIdentityEnds,
})
