import type * as z from 'zod'
import { validate } from '../../http/body.ts'
import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { eventFilterOf, filteredEvents } from '../../identity/security/security-events.store.ts'
import { securityLogContract } from './security-log.contract.ts'
import { pageOf, placeOf, presentFully } from './security-log.ts'

const { query, answer } = securityLogContract.listSecurityEventsOfUser

type EventsQuery = z.input<typeof query>
type EventsPage = z.output<typeof answer>

export class SecurityLogOperations extends Operations {
  /**
   * Lists the security events of a user or of all users, newest first; `cursor` selects the next page. Error:
   * INVALID_CURSOR.
   */
  listSecurityEvents(input: EventsQuery = {}): Promise<RpcAnswer<EventsPage>> {
    return this[run](async (scope) => {
      const asked = validate(query, input, 'query')
      const { limit, cursor } = asked
      return pageOf(await filteredEvents(scope.db, eventFilterOf(asked), limit, placeOf(cursor)), limit, presentFully)
    })
  }
}
