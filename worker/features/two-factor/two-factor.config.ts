import * as z from 'zod'
import type { Proof } from '../../identity/lifecycle.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, minutes, seconds } from '../../kit/time.ts'

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
    /** How long the second factor is waited for after the first. */
    cookieMaxAge: minutes(5),
    trustDeviceMaxAge: days(30),
  },
  { enforceOn: 'all' },
  { enforceOn: z.enum(['credential', 'all']), issuer: z.string().nullable() },
)

/** Proofs that nothing is asked after: they are, or follow from, a second factor, or there cannot be one yet. */
const complete: readonly Proof[] = ['second-factor', 'both-factors', 'session', 'delegated', 'creation']

/** Proofs that the specification takes for enough by themselves; the strict profile does not. */
const enoughByDefault: readonly Proof[] = ['possession', 'provider']

/** Whether the second factor is asked for after such a proof. What is not known here asks for it. */
export const asksAfter = (proven: Proof, enforceOn: 'credential' | 'all'): boolean =>
  !complete.includes(proven) && !(enforceOn === 'credential' && enoughByDefault.includes(proven))
