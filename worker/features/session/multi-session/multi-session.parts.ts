import { defineParts } from '../../../http/feature.ts'
import { keepExtended, keepSession, signOutAll } from './multi-session.steps.ts'

export const multiSessionParts = defineParts({
  steps: {
    sessionIssued: keepSession,
    sessionRead: keepExtended,
    signingOut: signOutAll,
  },
})
