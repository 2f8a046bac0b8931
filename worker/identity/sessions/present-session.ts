import type { SessionFacts } from '../../kit/presented.ts'
import type { Session } from '../model/sessions.table.ts'
import { sessionFieldsWhenSet, shownSessionFields } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { shownAdditionalFields } from '../users/additional-fields.ts'
import { sessionOptions } from './sessions.config.ts'

/** A session in responses, with the fields of the enabled features. */
export interface PresentedSession extends SessionFacts {
  [field: string]: unknown
}

export function presentSession(scope: Pick<Scope, 'lifecycle' | 'options'>, session: Session): PresentedSession {
  const { expiresAt, token, createdAt, updatedAt, ipAddress, userAgent, userId, id } = session
  const fields: Record<string, unknown> = {}
  for (const field of shownSessionFields(scope)) fields[field] = session[field]
  for (const field of sessionFieldsWhenSet(scope)) if (session[field] !== null) fields[field] = session[field]
  if (session.deviceKey?.since) fields.boundKey = session.deviceKey.id
  Object.assign(fields, shownAdditionalFields(sessionOptions.of(scope).additionalFields, session.additionalFields))
  return {
    expiresAt,
    token,
    createdAt,
    updatedAt,
    ipAddress: ipAddress ?? '',
    userAgent: userAgent ?? '',
    userId,
    ...fields,
    id,
  }
}
