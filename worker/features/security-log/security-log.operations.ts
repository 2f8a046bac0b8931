import { operation } from '../../http/operations.ts'
import { eventFilterOf, filteredEvents } from '../../identity/security/security-events.store.ts'
import { securityLogContract } from './security-log.contract.ts'
import { securityLogErrors as errors } from './security-log.errors.ts'
import { cursorPosition, filteredEventPage } from './security-log.ts'

const {
  input: { query },
  answer,
} = securityLogContract.listSecurityEventsOfUser

export const securityLogOperations = {
  listSecurityEvents: operation(
    {
      summary: 'Lists the security events of a user or of all users, newest first; `cursor` selects the next page.',
      permission: 'events:read',
      input: query,
      answer,
      errors: [errors.INVALID_CURSOR],
      budget: { d1: 1, read: 3100 },
      changes: [],
    },
    async (scope, asked) => {
      const { limit, cursor } = asked
      const filter = eventFilterOf(asked)
      return filteredEventPage(await filteredEvents(scope.db, filter, limit, cursorPosition(cursor)), filter, limit)
    },
  ),
}
