import { acceptClaim } from '../../../identity/caller.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { tokenCookie } from '../../../identity/sessions/session-cookies.ts'
import { claimByToken } from '../../../identity/sessions/sessions.ts'
import { unsignValue } from '../../../kit/cookies.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { oneTimeTokenOptions } from './one-time-token.config.ts'
import { oneTimeTokenErrors as errors } from './one-time-token.errors.ts'

const kind = 'one-time-token'

const readSession = (scope: Scope, token: string) => acceptClaim(scope.db, claimByToken(scope, token, 'bearer'))

/** The record's name, stored only as an HMAC. */
async function nameOf(scope: Scope, token: string): Promise<string> {
  const { storeToken } = oneTimeTokenOptions.of(scope)
  return typeof storeToken === 'function' ? storeToken(token) : token
}

/** Creates a token that a client can exchange for the session once, within a few minutes. */
export async function generateOneTimeToken(scope: Scope, sessionToken: string): Promise<string> {
  const token = randomString(32, alphabets.urlSafe)
  await scope.records.put(kind, await nameOf(scope, token), {
    value: await seal(scope.settings.secrets, sessionToken),
    expiresAt: after(scope.now(), oneTimeTokenOptions.of(scope).expiresIn).getTime(),
  })
  return token
}

/** For servers: a token for a session. @param signed the session token with its signature @throws SESSION_NOT_FOUND */
export async function generateOneTimeTokenFor(scope: Scope, signed: string): Promise<string> {
  const token = unsignValue(scope.settings.secrets, tokenCookie, decode(signed))
  if (token === null || !(await readSession(scope, token))) throw errors.SESSION_NOT_FOUND()
  return generateOneTimeToken(scope, token)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Uses a token: of parallel uses one gets its session. @throws INVALID_TOKEN, TOKEN_EXPIRED, SESSION_NOT_FOUND */
export async function redeemOneTimeToken(scope: Scope, token: string): Promise<Caller> {
  const name = await nameOf(scope, token)
  const taken = await scope.records.take(kind, name)
  if (taken.kind === 'expired') throw errors.TOKEN_EXPIRED()
  if (taken.kind !== 'taken') throw errors.INVALID_TOKEN()
  const sessionToken = await open(scope.settings.secrets, taken.value)
  const found = await scope.records.onTaken(kind, name, () => readSession(scope, sessionToken))
  if (!found) throw errors.SESSION_NOT_FOUND()
  return found
}
