import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { deviceBoundContract } from './device-bound.contract.ts'
import { refreshSession, registerKey } from './device-bound.ts'

export const deviceBoundEndpoints = defineEndpoints({
  routes: routes(deviceBoundContract, {
    registerDeviceKey: ({ scope }) => registerKey(scope),
    refreshDeviceSession: ({ scope }) => refreshSession(scope),
    deviceBoundSessions: ({ scope }) => ({ registering_origins: [new URL(scope.settings.baseUrl).origin] }),
  }),
})
