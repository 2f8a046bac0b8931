import * as z from 'zod'
import type { Proof } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, hours, minutes, ms, seconds } from '../../kit/time.ts'

export const twoFactorOptions = defineOptions(
  'twoFactor',
  {
    enabled: true,
    /**
     * Which sign-ins ask for the second factor: those by `credential`, that is by a password (with an address, a
     * username or a phone number), or `all`.
     */
    enforceOn: 'credential' as 'credential' | 'all',
    /** The name that authenticator apps show; null: the application's. */
    issuer: null as string | null,
    /** Two-factor is on as soon as it is enabled, without a first code. */
    skipVerificationOnEnable: false,
    totpOptions: { disable: false, digits: 6, period: seconds(30) },
    otpOptions: {
      disable: false,
      digits: 6,
      period: minutes(3),
      /** Wrong guesses at one code. */
      allowedAttempts: 5,
      /** Guesses per account, at however many codes. A right one forgets those before it. */
      guesses: { max: 15, window: minutes(30) },
    },
    backupCodeOptions: { amount: 10, length: 10 },
    /** Guesses per account, at TOTP codes and at backup codes each. A right one forgets those before it. */
    guesses: { max: 5, window: minutes(15) },
    /** How long a set-up waits for its first code. */
    setUpLifetime: hours(1),
    /** How long the second factor is waited for after the first. */
    cookieMaxAge: minutes(5),
    trustDeviceMaxAge: days(30),
  },
  { enforceOn: 'all' },
  { enforceOn: z.enum(['credential', 'all']), issuer: z.string().nullable() },
)

/** When a set-up that still waits for its first code began at the earliest. */
export const setUpsSince = (scope: Pick<Scope, 'options' | 'now'>): Date =>
  new Date(scope.now().getTime() - ms(twoFactorOptions.of(scope).setUpLifetime))

/**
 * After which proofs the second factor is asked. `all`: the specification takes the proof for enough by itself, and
 * it is asked only where every sign-in has to (`enforceOn: 'all'`, which is so in the strict profile).
 */
const asked: Readonly<Record<Proof, 'always' | 'all' | 'never'>> = {
  password: 'always',
  key: 'always',
  possession: 'all',
  provider: 'all',
  // They are, or follow from, a second factor, or there cannot be one yet.
  'second-factor': 'never',
  'both-factors': 'never',
  session: 'never',
  delegated: 'never',
  creation: 'never',
}

/** Whether the second factor is asked for after such a proof. What is not known here asks for it. */
export function asksAfter(proven: Proof, enforceOn: 'credential' | 'all'): boolean {
  const when = Object.hasOwn(asked, proven) ? asked[proven] : 'always'
  return when === 'always' || (when === 'all' && enforceOn !== 'credential')
}
