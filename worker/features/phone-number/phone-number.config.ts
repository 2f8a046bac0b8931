import * as z from 'zod'
import { textOptions } from '../../identity/messages/messages.config.ts'
import type { Scope } from '../../identity/scope.ts'
import type { DeploymentFacts } from '../../identity/settings.ts'
import type { CodeRules } from '../../identity/verifications/one-time-codes.ts'
import { callable, defineOptions, flag, limitOf, parts, positive, section, zeroOrMore } from '../../kit/options.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { days, hours, minutes } from '../../kit/time.ts'

const signUpOnVerification = parts({
  /** Whether unknown numbers create users. @default true */
  enabled: z.boolean(),
  /** A placeholder until the user enters an address. Attackers must not be able to guess it. */
  getTempEmail: callable<(phoneNumber: string) => string>(),
  /** @default the number */
  getTempName: callable<(phoneNumber: string) => string>(),
})

export type SignUpOnVerification = z.infer<typeof signUpOnVerification>

export const phoneNumberOptions = defineOptions(
  'phoneNumber',
  () =>
    section({
      /** null: on, in production only with a text transport (text.transport). */
      enabled: z.boolean().nullable().default(null),
      /** Digits of a code. */
      otpLength: positive.default(6),
      /** Lifetime of a code. */
      expiresIn: positive.default(minutes(5)),
      /** Wrong guesses at one code. */
      allowedAttempts: positive.default(3),
      /** Guesses per number and use, for all codes together. A correct guess resets the count. */
      guesses: limitOf(10, hours(1)),
      /** A sign-in by number and password requires a verified number; each attempt sends a code. */
      requireVerification: flag(false),
      /**
       * How long a number that a session added without a second factor cannot reset the password of an account with a
       * verified address; 0: no restriction.
       */
      probation: zeroOrMore.default(days(7)),
      /** Whether a string is a number. @default E.164 */
      phoneNumberValidator: callable<(phoneNumber: string) => boolean | Promise<boolean>>().nullable().default(null),
      /** The verification of an unknown number creates a user. `true`: with the defaults. */
      signUpOnVerification: z.union([z.boolean(), signUpOnVerification]).default(false),
    }),
  {
    strict: { requireVerification: true },
    contradictions: ({ enabled }, deployment: DeploymentFacts) => [
      [
        enabled === true && !canSendTexts(deployment),
        'text.transport',
        "the local mailbox is for development; choose 'twilio' or a function",
      ],
    ],
    complete: (own, deployment: DeploymentFacts) => ({ ...own, enabled: own.enabled ?? canSendTexts(deployment) }),
  },
)

const canSendTexts = ({ settings, options }: DeploymentFacts): boolean =>
  settings.environment === 'development' || textOptions.of({ options }).transport !== 'mailbox'

/** E.164: a plus, a country code, at most fifteen digits. */
const e164 = /^\+[1-9]\d{6,14}$/

export const isPhoneNumber = async (scope: Scope, text: string): Promise<boolean> =>
  (await phoneNumberOptions.of(scope).phoneNumberValidator?.(text)) ?? e164.test(text)

export function phoneCodeRules(scope: Pick<Scope, 'options'>): CodeRules {
  const { otpLength: length, expiresIn, allowedAttempts, guesses } = phoneNumberOptions.of(scope)
  return { length, expiresIn, allowedAttempts, guesses }
}

/** How a number creates a user; null if it does not. */
export function signUpByNumber(scope: Scope): Required<Omit<SignUpOnVerification, 'enabled'>> | null {
  const option = phoneNumberOptions.of(scope).signUpOnVerification
  if (!option || (option !== true && option.enabled === false)) return null
  const { getTempEmail, getTempName }: SignUpOnVerification = option === true ? {} : option
  const host = new URL(scope.settings.baseUrl).hostname
  return {
    // The random part prevents an attacker from registering the placeholder of a number beforehand.
    getTempEmail:
      getTempEmail ??
      ((number) => `${number.replace(/\D/g, '')}-${randomString(12, alphabets.lowerAndDigits)}@phone.${host}`),
    getTempName: getTempName ?? ((number) => number),
  }
}
