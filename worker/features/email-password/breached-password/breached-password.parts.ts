import { defineParts } from '../../../http/feature.ts'
import { refuseBreached } from './breached-password.ts'

export const breachedPasswordParts = defineParts({
  steps: {
    choosingPassword: refuseBreached,
  },
})
