import { defineFeature } from '../../http/feature.ts'
import { secondFactors } from './step-up.ts'
import { deleteExpiredTrust } from './trusted-devices.store.ts'
import { setUpsSince, twoFactorOptions } from './two-factor.config.ts'
import { twoFactorOperations } from './two-factor.operations.ts'
import { twoFactorRoutes } from './two-factor.routes.ts'
import { askSecondFactor, endSecondFactor, publicTwoFactor, settleSecondFactor } from './two-factor.steps.ts'
import { deleteLapsedSetUps } from './two-factor.store.ts'
import { twoFactors } from './two-factor.table.ts'

export const twoFactor = defineFeature({
  name: 'two-factor',
  steps: {
    signingIn: askSecondFactor,
    sessionIssued: settleSecondFactor,
  },
  routes: twoFactorRoutes,
  operations: twoFactorOperations,
  options: twoFactorOptions,
  publicConfiguration: publicTwoFactor,
  shows: { user: ['twoFactorEnabled'] },
  hasSecondFactor: (user) => user.twoFactorEnabled,
  stepUp: secondFactors,
  endingAccess: endSecondFactor,
  sealed: [
    { table: twoFactors, column: twoFactors.secret },
    { table: twoFactors, column: twoFactors.backupCodes },
  ],
  scheduled: (scope) =>
    Promise.all([deleteExpiredTrust(scope.db, scope.now()), deleteLapsedSetUps(scope.db, setUpsSince(scope))]),
})
