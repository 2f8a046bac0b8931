import { defineParts } from '../../http/feature.ts'
import { claimByApiKey } from './api-key.steps.ts'
import { deleteExpiredKeys, describeKeysOf } from './api-key.store.ts'
import { forgetKeysOfOwner } from './forget-keys.ts'

export const apiKeyParts = defineParts({
  steps: {
    identifying: claimByApiKey,
    recording: forgetKeysOfOwner,
  },
  aboutUser: { apiKeys: ({ db }, userId) => describeKeysOf(db, userId) },
  cron: { scheduled: (scope) => deleteExpiredKeys(scope.db, scope.now()) },
})
