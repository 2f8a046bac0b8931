import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { presentSession } from '../../../identity/sessions/present-session.ts'
import { presentUser } from '../../../identity/users/present-user.ts'
import { multiSessionContract } from './multi-session.contract.ts'
import { activateSession, type DeviceSession, listDeviceSessions, revokeDeviceSession } from './multi-session.ts'

const present = (scope: Scope, { session, user }: DeviceSession) => ({
  session: presentSession(scope, session),
  user: presentUser(scope, user),
})

export const multiSessionEndpoints = defineEndpoints({
  routes: routes(multiSessionContract, {
    listDeviceSessions: async ({ scope }) => (await listDeviceSessions(scope)).map((one) => present(scope, one)),
    setActiveSession: async ({ scope, body }) => present(scope, await activateSession(scope, body.sessionToken)),
    revokeDeviceSession: async ({ scope, body }) => {
      await revokeDeviceSession(scope, body.sessionToken)
      return { status: true }
    },
  }),
})
