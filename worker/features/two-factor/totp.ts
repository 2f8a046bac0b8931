import { Secret, TOTP } from 'otpauth'
import type { Scope } from '../../identity/scope.ts'
import { type Guess, tooManyGuesses } from '../../identity/verifications/guesses.ts'
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

/** The step that a code belongs to; null when it is none of those around now. */
async function stepOf(scope: Scope, record: TwoFactor, code: string): Promise<number | null> {
  const totp = generator(scope, await open(scope.settings.secrets, record.secret))
  const timestamp = scope.now().getTime()
  const delta = totp.validate({ token: code, timestamp, window: tolerance })
  return delta === null ? null : Math.floor(timestamp / ms(totp.period)) + delta
}

/**
 * Judges a code against secrets, in one call to one object a secret, which counts the guesses and accepts a step
 * once: of any number of calls with the right code one is right (RFC 6238, section 5.2).
 * @returns the record that the code belongs to, and the guess, which may be given back; null for a wrong code
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function judgeTotp(
  scope: Scope,
  records: readonly [TwoFactor, ...TwoFactor[]],
  code: string,
): Promise<{ record: TwoFactor; guess: Guess } | null> {
  const { guesses, totpOptions } = twoFactorOptions.of(scope)
  const steps = await Promise.all(records.map(async (record) => ({ record, step: await stepOf(scope, record, code) })))
  const { record, step } = steps.find((found) => found.step !== null) ?? { record: records[0], step: null }
  const key = `two-factor:totp:${record.id}`
  const judged = await scope.counters.judge(key, guesses, step, totpOptions.period * (2 * tolerance + 2))
  if (judged.kind === 'limited') throw tooManyGuesses(judged.retryAfter)
  if (judged.kind === 'wrong') return null
  return {
    record,
    guess: { rightly() {}, giveBack: () => scope.counters.withdraw(key, step).catch(() => {}) },
  }
}
