import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { deriveKey } from '../../kit/hash.ts'
import { after } from '../../kit/time.ts'
import type { Scope } from '../scope.ts'
import { emailVerificationOptions } from '../settings.ts'
import type { User } from '../users/users.table.ts'

/**
 * The token of a verification mail: a JWT (RFC 7519) under a key of its own, so that no other token of ours can pass
 * for one. Nothing is stored for it, but for a change of address. It works once because what it does is a conditional
 * write, and no longer than the user's security version stands.
 */
export interface VerificationClaims {
  userId: string
  email: string
  /** The address to change to, for a change of address. */
  updateTo?: string
  /** It was mailed to `updateTo`, so that following it proves that address. */
  provesNew?: boolean
  /** The change of address that it confirms (users/address-changes.ts): it works for as long as that is pending. */
  changeId?: string
  securityVersion: number
}

type Change = Pick<VerificationClaims, 'updateTo' | 'provesNew' | 'changeId'>
type Signed = Pick<VerificationClaims, 'email'> & Change & { sub: string; ver: number }

const purpose = 'email-verification'

export function signVerificationToken(scope: Scope, user: User, change: Change = {}): Promise<string> {
  const now = scope.now()
  return new SignJWT({ email: user.email, ver: user.securityVersion, ...change })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user.id)
    .setIssuedAt(now)
    .setExpirationTime(after(now, emailVerificationOptions.of(scope).expiresIn))
    .sign(deriveKey(scope.settings.secrets[0], purpose))
}

export async function readVerificationToken(
  scope: Scope,
  token: string,
): Promise<VerificationClaims | 'expired' | 'invalid'> {
  for (const secret of scope.settings.secrets) {
    try {
      const { payload } = await jwtVerify(token, deriveKey(secret, purpose), {
        algorithms: ['HS256'],
        currentDate: scope.now(),
        requiredClaims: ['sub', 'exp', 'email', 'ver'],
      })
      const { sub, ver, email, updateTo, provesNew, changeId } = payload as Signed
      return {
        userId: sub,
        email,
        securityVersion: ver,
        ...(updateTo ? { updateTo } : {}),
        ...(provesNew ? { provesNew } : {}),
        ...(changeId ? { changeId } : {}),
      }
    } catch (thrown) {
      if (thrown instanceof joseErrors.JWTExpired) return 'expired'
      if (!(thrown instanceof joseErrors.JOSEError)) throw thrown
    }
  }
  return 'invalid'
}
