import { defineFeature } from '../../../http/feature.ts'
import { breachedPasswordOptions } from './breached-password.config.ts'

export const breachedPassword = defineFeature({
  name: 'breached-password',
  options: breachedPasswordOptions,
  places: ['choosingPassword'],
  parts: async () => (await import('./breached-password.parts.ts')).breachedPasswordParts,
})
