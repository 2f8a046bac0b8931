import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import type { Scope } from '../../identity/scope.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { multiSessionOptions } from './multi-session.config.ts'
import { multiSessionContract, type OptionalPublicConfiguration } from './multi-session.contract.ts'
import { keepExtended, keepSession, signOutAll } from './multi-session.steps.ts'
import { activateSession, type DeviceSession, listDeviceSessions, revokeDeviceSession } from './multi-session.ts'

const present = (scope: Scope, { session, user }: DeviceSession) => ({
  session: presentSession(scope, session),
  user: presentUser(scope, user),
})

export const multiSession = defineFeature({
  name: 'multi-session',
  steps: {
    sessionIssued: keepSession,
    sessionRead: keepExtended,
    signingOut: signOutAll,
  },
  routes: routes(multiSessionContract, {
    listDeviceSessions: async ({ scope }) => (await listDeviceSessions(scope)).map((one) => present(scope, one)),
    setActiveSession: async ({ scope, body }) => present(scope, await activateSession(scope, body.sessionToken)),
    revokeDeviceSession: async ({ scope, body }) => {
      await revokeDeviceSession(scope, body.sessionToken)
      return { status: true }
    },
  }),
  options: multiSessionOptions,
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: { multiSession: true },
    multiSession: { maximumSessions: multiSessionOptions.of(scope).maximumSessions },
  }),
})
