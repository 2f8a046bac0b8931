import { defineEnds } from '../../http/feature.ts'
import { endSecondFactor } from './two-factor.steps.ts'
import { trustedDevices, twoFactors } from './two-factor.table.ts'

export const twoFactorEnds = defineEnds({
  revokes: { access: endSecondFactor },
  stored: {
    sealed: [
      { table: twoFactors, column: twoFactors.secret },
      { table: twoFactors, column: twoFactors.backupCodes },
    ],
    restored: [{ table: trustedDevices }],
  },
})
