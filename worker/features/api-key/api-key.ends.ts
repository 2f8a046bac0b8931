import { defineEnds } from '../../http/feature.ts'
import { endAllKeys, endKeys } from './api-key.steps.ts'
import { credentialOfKey, hasKeyInUse } from './api-key.store.ts'
import { apiKeys } from './api-key.table.ts'
import { forgetKeys } from './forget-keys.ts'

export const apiKeyEnds = defineEnds({
  revokes: {
    access: endKeys,
    keys: endAllKeys,
    credentials: (scope, which) => forgetKeys(scope, which(credentialOfKey)),
  },
  stored: {
    // The owner sees which keys are off, and enables those in use.
    restored: [{ table: apiKeys, set: { enabled: false }, kind: 'keys' }],
  },
  keeps: { guest: (_scope, userId, since) => hasKeyInUse(userId, since) },
})
