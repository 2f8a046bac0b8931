import type { EventRows, EventType } from '../../identity/model/events.ts'
import type { Scope } from '../../identity/scope.ts'
import { feedStatements } from '../../identity/sessions/ended-sessions.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import { apiKeyOptions } from './api-key.config.ts'
import { ownersWithKeys, rowsOfKeys } from './api-key.store.ts'

const areRemembered = (scope: Scope): boolean => apiKeyOptions.of(scope).cache.enabled

/** For a batch that changes or deletes keys, before it does: all isolates read them again. */
export const forgetKeys = (scope: Scope, which: Condition): Statement[] =>
  areRemembered(scope) ? feedStatements(scope, { ...rowsOfKeys(which), prefix: 'key:' }) : []

/** The events after which an owner's keys are read again. An organization's members do not change its keys. */
const changingOwners: readonly EventType[] = ['user.updated', 'user.deleted', 'organization.deleted']

/** Lifecycle place `recording`: names the owner in the feed, if the owner has keys. */
export const forgetKeysOfOwner = (scope: Scope, type: EventType, rows: () => EventRows): Statement[] =>
  changingOwners.includes(type) && areRemembered(scope)
    ? feedStatements(scope, { ...ownersWithKeys(rows()), prefix: 'keys-of:' })
    : []
