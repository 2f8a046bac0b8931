import { defineParts } from '../../http/feature.ts'
import { after, days } from '../../kit/time.ts'
import { manageEntries } from './access/access.store.ts'
import { refuseDeparted } from './access/access.ts'
import { removeLeftAccounts } from './access/unentered.ts'
import { directoryOptions } from './directory.config.ts'
import { deleteExpiredDirectoryTokens, hasDirectory } from './tokens/tokens.store.ts'
import { watchUsage } from './users/usage.ts'

export const directoryParts = defineParts({
  steps: { signingIn: refuseDeparted, recording: manageEntries },
  raisedMemberLimit: (scope, organizationId) => ({
    holds: hasDirectory(organizationId),
    max: directoryOptions.of(scope).maxUsers,
  }),
  cron: {
    scheduled: async (scope) => {
      // Expired tokens are listed for 30 days.
      await deleteExpiredDirectoryTokens(scope.db, after(scope.now(), -days(30))).run()
      await removeLeftAccounts(scope)
      await watchUsage(scope)
    },
  },
})
