import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { eventFilterOf, filteredEvents } from '../../identity/security/security-events.store.ts'
import { checkpointKeys } from '../../kit/audit-checkpoint.ts'
import { securityLogContract } from './security-log.contract.ts'
import { securityLogOperations } from './security-log.operations.ts'
import { eventsPage } from './security-log.store.ts'
import { cursorPosition, filteredEventPage, presentOwn, securityEventPage } from './security-log.ts'

export const securityLogEndpoints = defineEndpoints({
  routes: routes(securityLogContract, {
    auditKeys: async ({ scope }) => ({ keys: await checkpointKeys(scope.settings.secrets) }),
    listSecurityEvents: reading(
      ({ scope, own, query }) => ({
        events: eventsPage(scope.db, own.userId, eventFilterOf(query), query.limit, cursorPosition(query.cursor)),
      }),
      ({ caller, query }, { events }) =>
        securityEventPage(events, query.limit, (row) => presentOwn(row, caller.session.id)),
    ),
    listSecurityEventsOfUser: reading(
      ({ scope, query }) => ({
        events: filteredEvents(scope.db, eventFilterOf(query), query.limit, cursorPosition(query.cursor)),
      }),
      ({ query }, { events }) => filteredEventPage(events, eventFilterOf(query), query.limit),
    ),
  }),
  operations: securityLogOperations,
})
