import { Secret, TOTP } from 'otpauth'
import type { Scope } from '../../identity/scope.ts'
import { type Guess, tooManyGuesses } from '../../identity/verifications/guesses.ts'
import { open } from '../../kit/encrypt.ts'
import { plainName } from '../../kit/inputs.ts'
import { ms } from '../../kit/time.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** Time-based one-time passwords (RFC 6238) with SHA-1, which every authenticator app supports. */

/** Accepted steps before and after the current one. */
const tolerance = 1

/** A new secret in base32: 160 bits, as RFC 4226 section 4 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

function generator(scope: Scope, secret: string): TOTP {
  const { digits, period } = twoFactorOptions.of(scope).totpOptions
  return new TOTP({ secret: Secret.fromBase32(secret), digits, period, algorithm: 'SHA1' })
}

/** A part of the label, in which a colon separates issuer and account (Key Uri Format). */
const labelPart = (text: string): string => plainName(text.replaceAll(':', ' ')).replace(/\s+/g, ' ')

/** The TOTP URI for QR codes (Key Uri Format). */
export function totpUri(scope: Scope, secret: string, account: string, issuer?: string): string {
  const { totpOptions, issuer: configured } = twoFactorOptions.of(scope)
  const [shown = ''] = [issuer, configured, scope.settings.appName].map((name) => labelPart(name ?? '')).filter(Boolean)
  const name = encodeURIComponent(shown)
  const { digits, period } = totpOptions
  const label = `${name}:${encodeURIComponent(labelPart(account))}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${name}&digits=${digits}&period=${period}`
}

/** The current code. */
export const totpCode = (scope: Scope, secret: string): string =>
  generator(scope, secret).generate({ timestamp: scope.now().getTime() })

/** The step of a code; null if it matches no accepted step. */
async function stepOf(scope: Scope, record: TwoFactor, code: string): Promise<number | null> {
  const totp = generator(scope, await open(scope.settings.secrets, record.secret))
  const timestamp = scope.now().getTime()
  const delta = totp.validate({ token: code, timestamp, window: tolerance })
  return delta === null ? null : Math.floor(timestamp / ms(totp.period)) + delta
}

/**
 * Judges a code, in one call to the object of each secret, which accepts a step once (RFC 6238, section 5.2).
 * @param onWrong gets whether the budget admits no further guess in this window
 * @returns the record of the code and the guess, which may be given back; null for a wrong code @throws
 *   TOO_MANY_REQUESTS
 */
export async function judgeTotp(
  scope: Scope,
  records: readonly [TwoFactor, ...TwoFactor[]],
  code: string,
  onWrong: (isLast: boolean) => void = () => {},
): Promise<{ record: TwoFactor; guess: Guess } | null> {
  const { guesses, totpOptions } = twoFactorOptions.of(scope)
  const steps = await Promise.all(records.map(async (record) => ({ record, step: await stepOf(scope, record, code) })))
  const { record, step } = steps.find((found) => found.step !== null) ?? { record: records[0], step: null }
  const key = `two-factor:totp:${record.id}`
  const judged = await scope.counters.judge(key, guesses, step, totpOptions.period * (2 * tolerance + 2))
  if (judged.kind === 'limited') throw tooManyGuesses(judged.retryAfter)
  if (judged.kind === 'wrong') {
    onWrong(judged.isLast)
    return null
  }
  return {
    record,
    guess: { isLast: false, succeeded() {}, giveBack: () => scope.counters.withdraw(key, step).catch(() => {}) },
  }
}
