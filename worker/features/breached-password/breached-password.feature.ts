import { defineFeature } from '../../http/feature.ts'
import { breachedPasswordOptions } from './breached-password.config.ts'
import { refuseBreached } from './breached-password.ts'

export const breachedPassword = defineFeature({
  name: 'breached-password',
  steps: {
    choosingPassword: refuseBreached,
  },
  options: breachedPasswordOptions,
})
