import type { Scope } from '../../identity/scope.ts'
import { fromBase64url } from '../../kit/base64.ts'
import { randomString } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import { passkeyOptions } from './passkey.config.ts'

/**
 * A one-time record, named by the challenge, with the ceremony as its kind and the browser's signed cookie as its code:
 * ceremonies of one browser run independently, and another browser cannot use a challenge up.
 */
export type Ceremony =
  | 'passkey-registration'
  | 'passkey-automatic-registration'
  | 'passkey-authentication'
  | 'passkey-sign-up'
  | 'passkey-step-up'
  | 'passkey-second-factor'

const cookie = 'passkey'

/** @param userId the user of a registration or sign-up */
export async function issueChallenge(scope: Scope, ceremony: Ceremony, challenge: string, userId = ''): Promise<void> {
  const { challengeLifetime } = passkeyOptions.of(scope)
  const browser = scope.response.cookies.getSigned(cookie) ?? randomString(32)
  scope.response.cookies.setSigned(cookie, browser, { maxAge: challengeLifetime })
  const expiresAt = after(scope.now(), challengeLifetime).getTime()
  await scope.records.put(ceremony, challenge, { value: userId, expiresAt, code: browser })
}

/**
 * `gone`: this browser's challenge does not exist or has expired; `foreign`: the challenge belongs to another browser.
 */
export type ClaimedChallenge =
  | { kind: 'claimed'; challenge: string; userId: string }
  | { kind: 'gone' }
  | { kind: 'foreign' }

/** Uses the challenge of a response. Of parallel calls exactly one gets it. */
export async function claimChallenge(
  scope: Scope,
  ceremony: Ceremony,
  clientDataJSON: string,
): Promise<ClaimedChallenge> {
  const browser = scope.response.cookies.getSigned(cookie)
  const challenge = readChallenge(clientDataJSON)
  if (!browser) return { kind: 'gone' }
  if (!challenge) return { kind: 'foreign' }
  const taken = await scope.records.take(ceremony, challenge, { code: browser })
  if (taken.kind === 'taken') return { kind: 'claimed', challenge, userId: taken.value }
  return { kind: taken.kind === 'expired' ? 'gone' : 'foreign' }
}

/** Runs the effect of a claimed challenge. After a fault the same response can be sent again. */
export const onClaimed = <T>(
  scope: Scope,
  ceremony: Ceremony,
  { challenge }: { challenge: string },
  work: () => Promise<T>,
): Promise<T> => scope.records.onTaken(ceremony, challenge, work)

/** The challenge in a response's client data (WebAuthn, section 5.8.1); null without one. */
function readChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(fromBase64url(clientDataJSON))
    return typeof challenge === 'string' && challenge.length > 0 && challenge.length <= 128 ? challenge : null
  } catch {
    return null
  }
}
