import { defineFeature } from '../../http/feature.ts'
import { deleteExpiredTrust } from './trusted-devices.store.ts'
import { setUpsSince, twoFactorOptions } from './two-factor.config.ts'
import { endSecondFactor, twoFactorFeatures } from './two-factor.hooks.ts'
import { twoFactorRoutes } from './two-factor.routes.ts'
import { deleteLapsedSetUps } from './two-factor.store.ts'

export const twoFactor = defineFeature({
  name: 'two-factor',
  routes: twoFactorRoutes,
  options: twoFactorOptions,
  publicConfiguration: twoFactorFeatures,
  shows: { user: ['twoFactorEnabled'] },
  endingAccess: endSecondFactor,
  scheduled: (scope) =>
    scope.db.batch([deleteExpiredTrust(scope.db, scope.now()), deleteLapsedSetUps(scope.db, setUpsSince(scope))]),
})
