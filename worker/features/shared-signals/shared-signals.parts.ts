import { defineParts } from '../../http/feature.ts'
import { ms } from '../../kit/time.ts'
import { sharedSignalOptions } from './shared-signals.config.ts'
import { deleteExcessEvents, deleteOldSignalEvents } from './shared-signals.store.ts'
import { signalJobs, writeSignals } from './signals.ts'

export const sharedSignalsParts = defineParts({
  steps: { recording: writeSignals },
  jobs: signalJobs,
  cron: {
    async scheduled(scope) {
      const { giveUpAfter, maxWaiting } = sharedSignalOptions.of(scope)
      await deleteOldSignalEvents(scope.db, new Date(scope.now().getTime() - ms(giveUpAfter))).run()
      await deleteExcessEvents(scope.db, maxWaiting).run()
    },
  },
})
