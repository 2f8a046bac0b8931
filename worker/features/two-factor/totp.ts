import { Secret, TOTP } from 'otpauth'
import type { Scope } from '../../identity/scope.ts'
import { open } from '../../kit/encrypt.ts'
import { ms } from '../../kit/time.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** Time-based one-time passwords (RFC 6238), SHA-1 as every authenticator app knows it. */

/** Steps before and after the present one whose codes are taken. */
const tolerance = 1

/** A new secret in base32: 160 bits, as RFC 4226 section 4 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

function generator(scope: Scope, secret: string): TOTP {
  const { digits, period } = twoFactorOptions.of(scope).totpOptions
  return new TOTP({ secret: Secret.fromBase32(secret), digits, period, algorithm: 'SHA1' })
}

/** The address that authenticator apps read from a QR code (Key Uri Format). */
export function totpUri(scope: Scope, secret: string, account: string, issuer?: string): string {
  const { totpOptions, issuer: configured } = twoFactorOptions.of(scope)
  const name = encodeURIComponent(issuer || configured || scope.settings.appName)
  const { digits, period } = totpOptions
  const label = `${name}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${name}&digits=${digits}&period=${period}`
}

/** The code of this moment. */
export const totpCode = (scope: Scope, secret: string): string =>
  generator(scope, secret).generate({ timestamp: scope.now().getTime() })

/**
 * Whether a code is right, and the step that it belongs to has not been used: of any number of calls with the right
 * code one gets true (RFC 6238, section 5.2).
 */
export async function takeTotp(scope: Scope, record: TwoFactor, code: string): Promise<boolean> {
  const totp = generator(scope, await open(scope.settings.secrets, record.secret))
  const timestamp = scope.now().getTime()
  const delta = totp.validate({ token: code, timestamp, window: tolerance })
  if (delta === null) return false
  const step = Math.floor(timestamp / ms(totp.period)) + delta
  return scope.counters.advance(`totp:${record.id}`, step, totp.period * (2 * tolerance + 2))
}
