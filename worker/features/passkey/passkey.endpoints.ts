import { defineEndpoints } from '../../http/feature.ts'
import { passkeyRoutes } from './passkey.routes.ts'

export const passkeyEndpoints = defineEndpoints({
  routes: passkeyRoutes,
})
