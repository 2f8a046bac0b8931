import type { EventRows, EventType } from '../../../identity/model/events.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Statement } from '../../../platform/statements.ts'
import { endTokensAt } from '../model/grants/ended-tokens.ts'
import * as store from './resources.store.ts'

/** Lifecycle place `recording`: the resources of an organization end with it, and with them their tokens. */
export function endResourcesOf(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  if (type !== 'organization.deleted') return []
  const ids = store.idsOf(rows())
  return [...endTokensAt(scope, store.isOfOrganizations(ids)), ...store.deleteResourcesOf(scope.db, ids, scope.now())]
}
