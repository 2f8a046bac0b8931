import type { Scope } from '../../identity/scope.ts'
import { fromBase64url } from '../../kit/base64.ts'
import { randomString } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import { passkeyOptions } from './passkey.config.ts'

/**
 * A challenge is a one-time record named by itself, of a kind for its ceremony, whose code is the mark of the browser
 * that asked for it: a signed cookie. So several ceremonies of one browser (two tabs, autofill beside a button) do not
 * disturb each other, and no other browser can use one up.
 */
export type Ceremony = 'passkey-registration' | 'passkey-authentication' | 'passkey-sign-up'

const cookie = 'passkey'

/** @param userId whom a registration or sign-up is for */
export async function issueChallenge(scope: Scope, ceremony: Ceremony, challenge: string, userId = ''): Promise<void> {
  const { challengeLifetime } = passkeyOptions.of(scope)
  const browser = scope.cookies.getSigned(cookie) ?? randomString(32)
  scope.cookies.setSigned(cookie, browser, { maxAge: challengeLifetime })
  const expiresAt = after(scope.now(), challengeLifetime).getTime()
  await scope.records.put(ceremony, challenge, { value: userId, expiresAt, code: browser })
}

/** `gone`: this browser has no such challenge, or has it no longer; `foreign`: it never had. */
export type Claimed = { kind: 'claimed'; challenge: string; userId: string } | { kind: 'gone' } | { kind: 'foreign' }

/** Uses the challenge that a response was made for. Of any number of calls one gets it. */
export async function claimChallenge(scope: Scope, ceremony: Ceremony, clientDataJSON: string): Promise<Claimed> {
  const browser = scope.cookies.getSigned(cookie)
  const challenge = readChallenge(clientDataJSON)
  if (!browser) return { kind: 'gone' }
  if (!challenge) return { kind: 'foreign' }
  const taken = await scope.records.take(ceremony, challenge, { code: browser })
  if (taken.kind === 'taken') return { kind: 'claimed', challenge, userId: taken.value }
  return { kind: taken.kind === 'expired' ? 'gone' : 'foreign' }
}

/** Does what a challenge was claimed for. After a fault the same response may come again. */
export const onClaimed = <T>(
  scope: Scope,
  ceremony: Ceremony,
  { challenge }: { challenge: string },
  work: () => Promise<T>,
): Promise<T> => scope.records.onTaken(ceremony, challenge, work)

/** The challenge in a response's client data (WebAuthn, section 5.8.1); null where it has none. */
function readChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(fromBase64url(clientDataJSON))
    return typeof challenge === 'string' && challenge.length > 0 && challenge.length <= 128 ? challenge : null
  } catch {
    return null
  }
}
