import { actorOf, isOwnSession } from '../../identity/caller.ts'
import { isAdministratorFor } from '../../identity/registry.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { isKeyMissing } from '../../identity/sessions/device-key.ts'
import { extendWhenDue, isFresh } from '../../identity/sessions/sessions.ts'
import { isGuest } from '../../identity/users/guests.ts'
import { type Access, type Endpoint, isPartyAccess, type ServerAccess, type SessionAccess } from '../endpoint.ts'
import { httpErrors } from '../http.errors.ts'
import type { PartyCheck, PartyChecks } from '../routes.ts'

/** Most requests need them for nothing. */
const accessEvents = () => import('../../identity/security/access-events.ts')

const isServerAccess = (access: Access): access is ServerAccess => typeof access === 'object' && 'server' in access

/** @throws NOT_FOUND without the feature that has the keys */
async function requireServer(scope: Scope, { server }: ServerAccess): Promise<void> {
  const [keys] = scope.lifecycle.registry('serverKeys')
  if (!keys) throw httpErrors.NOT_FOUND()
  await keys.require(scope, server)
}

/** The check of a party for such an access, or null. @throws Error at start-up for a feature without the check */
export function partyCheckOf(
  { access, path }: Pick<Endpoint, 'access' | 'path'>,
  checks: PartyChecks,
): PartyCheck | null {
  if (!isPartyAccess(access)) return null
  const check = checks[access]
  if (!check) throw new Error(`${path} has the access ${access}, but its feature has no check for it`)
  return check
}

/**
 * Decides about access, alone, and rejects unknown kinds. Each accepted request extends the session.
 * @param find reads the caller together with other rows @returns the caller; null for an endpoint without a session
 */
export async function requireAccess(
  scope: Scope,
  {
    access,
    accessRules: { addsWayIn, unauthorized = httpErrors.UNAUTHORIZED } = {},
    path = scope.request.path,
    changes = [],
  }: Pick<Endpoint, 'access' | 'accessRules'> & { path?: string; changes?: readonly string[] },
  find: () => Promise<Caller | null> = () => scope.caller(),
): Promise<Caller | null> {
  if (access === 'visitor' || isPartyAccess(access)) return null
  if (isServerAccess(access)) {
    await requireServer(scope, access)
    return null
  }
  const caller = await find()
  if (!caller) throw isKeyMissing(scope) ? httpErrors.SESSION_KEY_REQUIRED() : unauthorized()
  await recordingRefusal(scope, caller, path, async () => {
    await refuseUnfit(scope, caller, access)
    if (access === 'recent-authentication') await requireRecent(scope, caller, addsWayIn)
  })
  if (changes.length > 0 && actorOf(caller.session) !== null) (await accessEvents()).noteAct(scope, caller, path)
  caller.session = extendWhenDue(scope, caller)
  return caller
}

/**
 * Rejects a call that the access level of the caller's API key does not include, also for the access `visitor`.
 * @param endpoint undefined outside an endpoint: only full access passes @throws API_KEY_ACCESS_DENIED
 */
export function requireKeyAccess({ key }: Caller, endpoint: Pick<Endpoint, 'method' | 'changes'> | undefined): void {
  if (!key || key.access === 'full') return
  if (key.access === 'read-only' && endpoint?.method === 'GET' && endpoint.changes.length === 0) return
  throw httpErrors.API_KEY_ACCESS_DENIED()
}

/** Checks `ownSessionFor` and `recentFor` for an input. @throws OWN_SESSION_REQUIRED, SESSION_IS_NOT_FRESH */
export async function requireAccessForInput(
  scope: Scope,
  { accessRules: { ownSessionFor = [], recentFor = [], addsWayIn } = {}, path }: Pick<Endpoint, 'accessRules' | 'path'>,
  ...parts: unknown[]
): Promise<void> {
  const { options } = scope
  const given: Readonly<Record<string, unknown>> = Object.assign({}, ...parts)
  const gives = (field: string) => given[field] !== undefined && given[field] !== false
  const own = ownSessionFor.some(gives)
  const isAsked = typeof recentFor === 'function' || recentFor.some(gives)
  if (!own && !isAsked) return
  const caller = await scope.caller()
  if (!caller) return
  const recent =
    typeof recentFor === 'function'
      ? recentFor({ user: caller.user, given, options, hasSecondFactor: await hasFactor(scope, caller) })
      : isAsked
  await recordingRefusal(scope, caller, path, async () => {
    if ((own || recent) && !isOwnSession(caller)) throw httpErrors.OWN_SESSION_REQUIRED()
    if (recent) await requireRecent(scope, caller, addsWayIn)
  })
}

async function hasFactor(scope: Scope, { user }: Caller): Promise<boolean> {
  const { needsSecondFactor } = await import('../../identity/sign-in/step-up.ts')
  return needsSecondFactor(scope, user)
}

/** Records the rejected call of a signed-in caller in the sign-in log. */
async function recordingRefusal(scope: Scope, caller: Caller, path: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (thrown) {
    ;(await accessEvents()).noteRefusal(scope, caller, path, thrown)
    throw thrown
  }
}

async function refuseUnfit(scope: Scope, caller: Caller, access: SessionAccess): Promise<void> {
  if (access === 'session') return
  if (typeof access === 'object') {
    const refusal = access.refusal ?? httpErrors.FORBIDDEN
    // The session of an API key or of an impersonation never administers.
    if (isOwnSession(caller) && isAdministratorFor(scope, caller.user, access.admin)) return
    throw refusal()
  }
  if (!isOwnSession(caller)) throw httpErrors.OWN_SESSION_REQUIRED()
}

/** Requires a recent authentication. The methods of a step-up are read for the error only. */
async function requireRecent(scope: Scope, caller: Caller, addsWayIn = false): Promise<void> {
  if (isFresh(scope, caller.session)) return
  const { readMethods } = await import('../../identity/sign-in/step-up.ts')
  const methods = await readMethods(scope, caller.user)
  if (addsWayIn && methods.length === 0 && isGuest(caller.user)) return
  throw httpErrors.SESSION_IS_NOT_FRESH({ extra: { methods } })
}
