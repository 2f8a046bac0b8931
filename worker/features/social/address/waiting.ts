import type { Scope } from '../../../identity/scope.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import type { KnownPerson } from '../profile.ts'
import type { KeptTokens } from '../sealed-tokens.ts'
import { waitingTime } from './address.config.ts'

/**
 * An identity that somebody has proven at a provider, and that has no address yet. It waits in a Durable Object,
 * sealed, under a name that only the browser knows in which it was proven.
 */
export interface WaitingIdentity {
  providerId: string
  providerName: string
  person: KnownPerson
  tokens: KeptTokens
  mayCreate: boolean
  /** Where the sign-in leads; a new person may have a place of their own. */
  callbackURL: string
  newUserURL?: string | undefined
}

/** One that waits in this browser. */
export interface Waiting {
  /** Its name: what the browser's cookie holds. */
  name: string
  identity: WaitingIdentity
  expiresAt: Date
}

const kind = 'social-address'
const cookie = 'social_address'

/** Lets an identity wait, in place of another one of this browser. @throws Fault */
export async function letWait(scope: Scope, identity: WaitingIdentity): Promise<void> {
  const name = randomString(32, alphabets.urlSafe)
  const value = await seal(scope.settings.secrets, JSON.stringify(identity))
  await scope.records.put(kind, name, { value, expiresAt: after(scope.now(), waitingTime).getTime() })
  scope.cookies.setSigned(cookie, name, { maxAge: waitingTime })
}

/** The identity that waits in this browser; null for none. Whether it was used, the statement of its use tells. */
export async function readWaiting(scope: Scope): Promise<Waiting | null> {
  const name = scope.cookies.getSigned(cookie)
  if (name === null) return null
  const peeked = await scope.records.peek(kind, name)
  if (peeked.kind !== 'there') return null
  const identity: WaitingIdentity = JSON.parse(await open(scope.settings.secrets, peeked.value))
  const date = (text: unknown) => (text === null ? null : new Date(String(text)))
  const { accessTokenExpiresAt, refreshTokenExpiresAt } = identity.tokens
  const times = {
    accessTokenExpiresAt: date(accessTokenExpiresAt),
    refreshTokenExpiresAt: date(refreshTokenExpiresAt),
  }
  return {
    name,
    identity: { ...identity, tokens: { ...identity.tokens, ...times } },
    expiresAt: new Date(peeked.expiresAt),
  }
}

/** It has become a sign-in. */
export function endWaiting(scope: Scope, { name }: Waiting): void {
  scope.cookies.clear(cookie)
  scope.after(() => scope.records.drop(kind, name))
}
