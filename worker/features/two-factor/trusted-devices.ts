import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { equalSecrets, hmac, sha256 } from '../../kit/hash.ts'
import { after } from '../../kit/time.ts'
import type { Statement } from '../../platform/statements.ts'
import * as store from './trusted-devices.store.ts'
import { twoFactorOptions } from './two-factor.config.ts'

/**
 * A trusted device holds a signed cookie `<HMAC of "<user id>!<session token>">!<session token>`. What it stands for
 * is a record of ours, so that trust ends when we say so.
 */
const cookie = 'trust_device'

const proofOf = (secret: string, userId: string, token: string) => hmac(secret, `${userId}!${token}`)

/** The session token in the cookie, if this user was trusted by it. */
function readCookie(scope: Scope, userId: string): string | null {
  const [proof, token, ...rest] = (scope.cookies.getSigned(cookie) ?? '').split('!')
  if (!proof || !token || rest.length > 0) return null
  return scope.settings.secrets.some((secret) => equalSecrets(proofOf(secret, userId, token), proof)) ? token : null
}

function writeCookie(scope: Scope, userId: string, token: string, expiresAt: Date): void {
  const maxAge = Math.ceil((expiresAt.getTime() - scope.now().getTime()) / 1000)
  scope.cookies.setSigned(cookie, `${proofOf(scope.settings.secrets[0], userId, token)}!${token}`, { maxAge })
}

/** A device that is trusted, once the statements are written. */
export interface Trust {
  /** For the batch of what the second factor was given for. */
  statements: Statement[]
  /** To be called when the batch is written. */
  written(): void
}

/** What trusts nothing. */
export const noTrust: Trust = { statements: [], written() {} }

/** @param twoFactorId the record that the second factor was proven with, in force once the batch is written */
export function trustDevice(scope: Scope, user: User, twoFactorId: string, sessionToken: string): Trust {
  const createdAt = scope.now()
  const expiresAt = after(createdAt, twoFactorOptions.of(scope).trustDeviceMaxAge)
  const { id: userId, securityVersion } = user
  const device = { tokenHash: sha256(sessionToken), userId, twoFactorId, securityVersion, createdAt, expiresAt }
  return {
    statements: store.trustStatements(scope.db, device),
    written: () => writeCookie(scope, userId, sessionToken, expiresAt),
  }
}

/**
 * A trusted device signs in: its trust goes on with the new session's token. It does not grow longer by that; it counts
 * from the second factor.
 * @returns null for a device that is not trusted
 */
export async function renewTrust(scope: Scope, user: User, sessionToken: string): Promise<Trust | null> {
  const token = readCookie(scope, user.id)
  if (token === null) return null
  const expiresAt = await store.trustedUntil(scope.db, sha256(token), user, scope.now())
  if (expiresAt === null) return null
  return {
    statements: [store.renewStatement(scope.db, sha256(token), sha256(sessionToken), user, scope.now())],
    written: () => writeCookie(scope, user.id, sessionToken, expiresAt),
  }
}
