import { defineParts } from '../../http/feature.ts'
import { secondFactors } from './step-up.ts'
import { deleteExpiredTrust } from './trusted-devices.store.ts'
import { setUpsSince } from './two-factor.config.ts'
import { askSecondFactor, settleSecondFactor } from './two-factor.steps.ts'
import { deleteLapsedSetUps } from './two-factor.store.ts'

export const twoFactorParts = defineParts({
  steps: {
    signingIn: askSecondFactor,
    sessionIssued: settleSecondFactor,
  },
  wayIn: { stepUp: secondFactors },
  cron: {
    scheduled: (scope) =>
      Promise.all([deleteExpiredTrust(scope.db, scope.now()), deleteLapsedSetUps(scope.db, setUpsSince(scope))]),
  },
})
