import { actorOf } from '../identity/caller.ts'
import {
  type Allowance,
  type AuditActor,
  type AuditContext,
  type AuditSubject,
  apiKeyActor,
  auditSubjectFields,
} from '../identity/model/audit-context.ts'
import type { Caller } from '../identity/scope.ts'
import { isGuest } from '../identity/users/guests.ts'
import { type Endpoint, isForAdministrators, serverPermissionOf } from './endpoint.ts'

const allowanceOf = ({ access }: Endpoint): Allowance => (access === 'recent-authentication' ? 'proven' : 'change')

export const auditContextOf = (endpoint: Endpoint | undefined): AuditContext => ({
  action: endpoint?.audit ?? null,
  actor: { type: !endpoint ? 'system' : serverPermissionOf(endpoint) !== null ? 'server' : 'visitor', id: null },
  allowance: endpoint && endpoint.limits?.creates !== 'ends' ? allowanceOf(endpoint) : null,
  organizationId: null,
  serverKey: null,
  subject: null,
})

/** An impersonated user does not act: the administrator does. */
export function actorOfCaller(caller: Caller, endpoint: Pick<Endpoint, 'access'> | undefined): AuditActor {
  const { user, session, key } = caller
  const administrator = actorOf(session)
  if (administrator !== null) return { type: 'administrator', id: administrator, onBehalfOf: user.id }
  if (key) return { type: apiKeyActor, id: user.id, via: key.id }
  if (endpoint && isForAdministrators(endpoint.access)) return { type: 'administrator', id: user.id }
  return { type: 'user', id: user.id, isGuest: isGuest(user) }
}

/** The affected entity according to the input. The id of an invitation is a secret, and an address is not stored. */
export function auditSubjectOf(endpoint: Pick<Endpoint, 'changes'>, input: unknown): AuditSubject | null {
  if (typeof input !== 'object' || input === null) return null
  for (const [field, type] of Object.entries(auditSubjectFields)) {
    const value = (input as Record<string, unknown>)[field]
    if (typeof value !== 'string' || value === '' || value.length > 128 || value.includes('@')) continue
    return { type: type || endpoint.changes[0]!, id: value }
  }
  return null
}
