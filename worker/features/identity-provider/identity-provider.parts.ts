import { defineParts } from '../../http/feature.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { after, days } from '../../kit/time.ts'
import { identityProviderOptions } from './identity-provider.config.ts'
import { resumeAuthorization } from './identity-provider.steps.ts'
import { logoutJobs, releaseLogouts } from './logout/back-channel.ts'
import { endedTokenJobs, feedVoidedTokens } from './model/grants/ended-tokens.ts'
import { releaseExpired } from './model/grants/logout-messages.store.ts'
import { deleteExpiredServiceTokens } from './model/grants/service-tokens.store.ts'
import { pairwiseSalt } from './model/grants/subjects.ts'
import { deleteExpiredTokens } from './model/grants/tokens.store.ts'
import { deleteUnusedApplications } from './registration/registration.store.ts'
import { endResourcesOf } from './resources/resources.steps.ts'
import { purgeResources } from './resources/resources.store.ts'

export const identityProviderParts = defineParts({
  steps: {
    sessionIssued: resumeAuthorization,
    recording: (scope, type, rows) => [
      ...releaseLogouts(scope, type, rows),
      ...feedVoidedTokens(scope, type, rows),
      ...endResourcesOf(scope, type, rows),
    ],
  },
  jobs: { ...logoutJobs, ...endedTokenJobs },
  cron: {
    async scheduled(scope) {
      const { unusedClientLifetime } = identityProviderOptions.of(scope)
      const work = unitOfWork(scope)
      work.run(releaseExpired(scope.db, scope.now()))
      work.run(deleteExpiredTokens(scope.db, scope.now()))
      work.run(deleteExpiredServiceTokens(scope.db, scope.now()))
      work.run(purgeResources(scope.db, after(scope.now(), -days(1))))
      work.run(deleteUnusedApplications(scope.db, after(scope.now(), -unusedClientLifetime), scope.now()))
      await work.commit()
      // Stored soon after an upgrade, while the secret of the pairwise subjects is still configured.
      await pairwiseSalt(scope)
    },
  },
})
