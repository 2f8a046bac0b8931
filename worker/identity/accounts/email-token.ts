import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { deriveKey } from '../../kit/hash.ts'
import { after } from '../../kit/time.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { emailVerificationOptions } from './accounts.config.ts'

/**
 * The token of a verification mail: a JWT (RFC 7519) with a separate key, so that no other token is valid in its place.
 * It is not stored, except for a change of address. It works once, because its effect is a conditional write, and only
 * while the user's security version is the same.
 */
export interface VerificationClaims {
  userId: string
  email: string
  /** The new address of a change of address. */
  updateTo?: string
  /** It was mailed to `updateTo`, so its use proves that address. */
  provesNew?: boolean
  /** The change of address that it confirms (address-changes.ts), valid while that change is pending. */
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
