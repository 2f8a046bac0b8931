import { defineEnds } from '../../http/feature.ts'
import { signalReceivers } from './shared-signals.table.ts'

export const sharedSignalsEnds = defineEnds({
  stored: {
    sealed: [{ table: signalReceivers, column: signalReceivers.authorization }],
  },
})
