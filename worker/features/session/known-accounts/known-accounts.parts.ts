import { defineParts } from '../../../http/feature.ts'
import { followAccounts, keepAccount } from './known-accounts.steps.ts'

export const knownAccountsParts = defineParts({
  steps: { sessionIssued: keepAccount, reactions: followAccounts },
})
