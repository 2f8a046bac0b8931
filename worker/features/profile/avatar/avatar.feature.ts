import { defineFeature } from '../../../http/feature.ts'
import { avatarOptions } from './avatar.config.ts'
import type { OptionalPublicConfiguration } from './avatar.contract.ts'

export const avatar = defineFeature({
  name: 'avatar',
  options: avatarOptions,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { avatar: true } }),
  endpoints: async () => (await import('./avatar.endpoints.ts')).avatarEndpoints,
})
