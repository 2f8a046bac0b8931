import type { Scope } from '../../../identity/scope.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { withQuery } from '../../../kit/urls.ts'
import type { KnownPerson } from '../model/profile.ts'
import { type KeptTokens, withTokenDates } from '../model/sealed-tokens.ts'
import type { ProvenIdentity } from '../model/sign-in-by-identity.ts'
import type { AuthorizationState } from '../model/state.ts'
import { waitingTime } from './address.config.ts'

/** An identity without an address, proven at a provider. It is sealed, and named only by the browser that proved it. */
export interface WaitingIdentity {
  providerId: string
  providerName: string
  person: KnownPerson
  tokens: KeptTokens
  mayCreate: boolean
  /** The targets after the sign-in; newUserURL for a new user. */
  callbackURL: string
  newUserURL?: string | undefined
}

export interface Waiting {
  /** The value of the browser's cookie. */
  name: string
  identity: WaitingIdentity
  expiresAt: Date
}

const kind = 'social-address'
const cookie = 'social_address'

/** The app's screen that asks for the address. */
const screen = '/sign-in/address'

/** Stores an identity in this browser until its user has proven an address. @returns the URL of the screen for it */
export async function askForAddress(
  scope: Scope,
  { providerId, person, tokens }: ProvenIdentity,
  { name: providerName, mayCreate, state }: { name: string; mayCreate: boolean; state: AuthorizationState },
): Promise<string> {
  const { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scopes, kept } = tokens
  const { callbackURL, newUserURL } = state
  const identity: WaitingIdentity = {
    providerId,
    providerName,
    person: { ...person, extra: {} },
    tokens: { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scopes, kept },
    mayCreate,
    callbackURL,
    newUserURL,
  }
  const name = randomString(32, alphabets.urlSafe)
  const value = await seal(scope.settings.secrets, JSON.stringify(identity))
  await scope.records.put(kind, name, { value, expiresAt: after(scope.now(), waitingTime).getTime() })
  scope.response.cookies.setSigned(cookie, name, { maxAge: waitingTime })
  return withQuery(`${scope.settings.baseUrl}${screen}`, { callbackURL })
}

/** The identity that waits in this browser, or null. It may be used already: the batch of its use decides. */
export async function readWaiting(scope: Scope): Promise<Waiting | null> {
  const name = scope.response.cookies.getSigned(cookie)
  if (name === null) return null
  const peeked = await scope.records.peek(kind, name)
  if (peeked.kind !== 'there') return null
  const identity: WaitingIdentity = JSON.parse(await open(scope.settings.secrets, peeked.value))
  const expiresAt = new Date(peeked.expiresAt)
  return { name, identity: { ...identity, tokens: withTokenDates(identity.tokens) }, expiresAt }
}

/** Deletes a waiting identity after its sign-in. */
export function endWaiting(scope: Scope, { name }: Waiting): void {
  scope.response.cookies.clear(cookie)
  scope.after(() => scope.records.drop(kind, name))
}
