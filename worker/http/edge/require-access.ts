import { isOwnSession } from '../../identity/caller.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { extendWhenDue, isFresh } from '../../identity/sessions/sessions.ts'
import type { Access, Endpoint, SessionAccess } from '../endpoint.ts'
import { httpErrors } from '../http.errors.ts'
import type { PartyCheck, PartyChecks } from '../routes.ts'

/** Kinds of access that the check of a feature decides. */
export const isPartyAccess = (access: Access): access is 'client' | 'webhook' =>
  access === 'client' || access === 'webhook'

/**
 * The check that a feature brings for an endpoint of such a kind.
 * @throws Error at start-up when there is none: an endpoint without a check is never mounted
 */
export function partyCheckOf(access: 'client' | 'webhook', checks: PartyChecks, path: string): PartyCheck {
  const check = checks[access]
  if (!check) throw new Error(`${path} has the access ${access}, but its feature brings no such check`)
  return check
}

/**
 * The caller that an endpoint asks for; null where it asks for none. THE place where it is decided who may call: what
 * it does not know, it refuses. A session is extended by whatever its owner does.
 * @param find the caller, where reading them is part of something larger
 * @throws UNAUTHORIZED or what the endpoint says instead, OWN_SESSION_REQUIRED, SESSION_IS_NOT_FRESH, or the endpoint's refusal
 */
export async function requireAccess(
  scope: Scope,
  { access, unauthorized = httpErrors.UNAUTHORIZED }: Pick<Endpoint, 'access' | 'unauthorized'>,
  find: () => Promise<Caller | null> = () => scope.caller(),
): Promise<Caller | null> {
  if (access === 'visitor' || isPartyAccess(access)) return null
  const caller = await find()
  if (!caller) throw unauthorized()
  await refuseUnfit(scope, caller, access)
  caller.session = extendWhenDue(scope, caller)
  return caller
}

/** The same for single fields of a body, see `ownSessionFor`. @throws OWN_SESSION_REQUIRED */
export async function requireOwnSessionFor(
  scope: Scope,
  { ownSessionFor = [] }: Pick<Endpoint, 'ownSessionFor'>,
  ...parts: unknown[]
): Promise<void> {
  if (ownSessionFor.length === 0) return
  const given: Readonly<Record<string, unknown>> = Object.assign({}, ...parts)
  if (!ownSessionFor.some((field) => given[field] !== undefined && given[field] !== false)) return
  const caller = await scope.caller()
  if (caller && !isOwnSession(caller)) throw httpErrors.OWN_SESSION_REQUIRED()
}

async function refuseUnfit(scope: Scope, caller: Caller, access: SessionAccess): Promise<void> {
  if (access === 'session') return
  if (typeof access === 'object') {
    const refusal = access.refusal ?? httpErrors.FORBIDDEN
    for (const mayDo of scope.lifecycle.administering) if (await mayDo(scope, caller, access.admin)) return
    throw refusal()
  }
  if (!isOwnSession(caller)) throw httpErrors.OWN_SESSION_REQUIRED()
  if (access === 'own-session') return
  if (!isFresh(scope, caller.session)) throw httpErrors.SESSION_IS_NOT_FRESH()
}
