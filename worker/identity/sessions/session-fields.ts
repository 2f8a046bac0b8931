import { brokenRule, type FieldValue } from '../../kit/field-rules.ts'
import { reasonOf } from '../../platform/log.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { invalidField } from '../users/additional-fields.ts'
import { presentUser } from '../users/present-user.ts'
import { coreErrors } from '../users/users.errors.ts'
import { sessionOptions } from './sessions.config.ts'
import { updateSessionFields } from './sessions.store.ts'

/** Returns the configured fields of a new session. A failing default does not fail the sign-in. */
export function defaultSessionFields(scope: Scope, user: User): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(sessionOptions.of(scope).additionalFields)) {
    const { defaultValue } = field
    if (defaultValue === undefined) continue
    try {
      const value = typeof defaultValue === 'function' ? defaultValue(presentUser(scope, user)) : defaultValue
      if (value === undefined || value === null) continue
      const broken = brokenRule(field, value)
      if (broken) throw new Error(`it ${broken.asks}`)
      values[name] = value
    } catch (thrown) {
      scope.log('error', 'session-field-without-value', { field: name, reason: reasonOf(thrown) })
    }
  }
  return values
}

/**
 * Sets fields of a session; null removes a field. Server-only: see features/session/session.operations.ts. The cached result
 * of get-session lags by at most session.cookieCache.maxAge.
 * @throws INVALID_FIELD_VALUE; FAILED_TO_GET_SESSION for an unknown session
 */
export async function setSessionFields(
  scope: Scope,
  token: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Record<string, FieldValue>> {
  const known = sessionOptions.of(scope).additionalFields
  for (const [name, value] of Object.entries(fields)) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined
    const broken = field && (value !== null || field.required) ? brokenRule(field, value) : null
    if (!field || broken) {
      const message = `${name} ${broken?.asks ?? 'is not a field of sessions'}`
      throw invalidField(name, message, broken?.rule)
    }
  }
  const stored = await updateSessionFields(scope.db, token, fields, scope.now())
  if (!stored) throw coreErrors.FAILED_TO_GET_SESSION()
  return stored as Record<string, FieldValue>
}
