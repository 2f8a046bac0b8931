import { defineParts } from '../../http/feature.ts'
import { exposeJwt, loadSigningKey } from './jwt.steps.ts'
import { deleteEndedKeys } from './signing-keys.ts'

export const jwtParts = defineParts({
  steps: {
    sessionIssued: loadSigningKey,
    sessionRead: exposeJwt,
  },
  cron: { scheduled: deleteEndedKeys },
})
