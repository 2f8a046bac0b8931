import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Work } from '../../identity/work.ts'
import { deriveKey, equalSecrets, hmac, sha256 } from '../../kit/hash.ts'
import { after } from '../../kit/time.ts'
import * as store from './trusted-devices.store.ts'
import { twoFactorOptions } from './two-factor.config.ts'

/** Cookie: `<HMAC of "<user id>!<session token>">!<session token>`. A stored record lets the server end the trust. */
const cookie = 'trust_device'

const proofOf = (key: string | Uint8Array, userId: string, token: string) => hmac(key, `${userId}!${token}`)

const keyOf = (secret: string) => deriveKey(secret, 'trusted-device')

/** A proof of versions before 0.3, with the secret as key, is valid until that secret is retired. */
const isProof = (scope: Scope, userId: string, token: string, proof: string): boolean =>
  scope.settings.secrets
    .flatMap((secret) => [keyOf(secret), secret])
    .some((key) => equalSecrets(proofOf(key, userId, token), proof))

/** The session token in the cookie, if it is the trust of this user. */
function readCookie(scope: Scope, userId: string): string | null {
  const [proof, token, ...rest] = (scope.response.cookies.getSigned(cookie) ?? '').split('!')
  if (!proof || !token || rest.length > 0) return null
  return isProof(scope, userId, token, proof) ? token : null
}

function writeCookie(scope: Scope, userId: string, token: string, expiresAt: Date): void {
  const maxAge = Math.ceil((expiresAt.getTime() - scope.now().getTime()) / 1000)
  scope.response.cookies.setSigned(cookie, `${proofOf(keyOf(scope.settings.secrets[0]), userId, token)}!${token}`, {
    maxAge,
  })
}

/** Trusts the device of this browser. @param twoFactorId the record of the given second factor after the commit */
export function trustDevice(scope: Scope, work: Work, user: User, twoFactorId: string, sessionToken: string): void {
  const createdAt = scope.now()
  const expiresAt = after(createdAt, twoFactorOptions.of(scope).trustDeviceMaxAge)
  const { id: userId, securityVersion } = user
  const device = { tokenHash: sha256(sessionToken), userId, twoFactorId, securityVersion, createdAt, expiresAt }
  const afterCommit = () => writeCookie(scope, userId, sessionToken, expiresAt)
  work.run(store.trustStatements(scope.db, device), { afterCommit })
}

/** Continues the trust with the new session's token, until its old end. @returns false for an untrusted device */
export async function renewTrust(scope: Scope, { user, token: sessionToken, writes }: SignInAttempt): Promise<boolean> {
  const token = readCookie(scope, user.id)
  if (token === null) return false
  const expiresAt = await store.trustedUntil(scope.db, sha256(token), user, scope.now())
  if (expiresAt === null) return false
  const renewed = store.renewStatement(scope.db, sha256(token), sha256(sessionToken), user, scope.now())
  const afterCommit = () => writeCookie(scope, user.id, sessionToken, expiresAt)
  writes.push((work) => void work.run(renewed, { afterCommit }))
  return true
}
