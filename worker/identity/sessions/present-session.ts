import type { Scope } from '../scope.ts'
import { sessionOptions } from '../settings.ts'
import { shownAdditionalFields } from '../users/additional-fields.ts'
import type { Session } from './sessions.table.ts'

/** A session as answers show it, with the fields of the features that are on. */
export interface PresentedSession {
  expiresAt: Date
  token: string
  createdAt: Date
  updatedAt: Date
  ipAddress: string
  userAgent: string
  userId: string
  id: string
  [field: string]: unknown
}

export function presentSession(scope: Pick<Scope, 'lifecycle' | 'options'>, session: Session): PresentedSession {
  const { expiresAt, token, createdAt, updatedAt, ipAddress, userAgent, userId, id } = session
  const fields: Record<string, unknown> = {}
  for (const field of scope.lifecycle.shownSessionFields) fields[field] = session[field]
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
