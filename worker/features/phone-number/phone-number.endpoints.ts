import { defineEndpoints } from '../../http/feature.ts'
import { phoneNumberRoutes } from './phone-number.routes.ts'

export const phoneNumberEndpoints = defineEndpoints({
  routes: phoneNumberRoutes,
})
