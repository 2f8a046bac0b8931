import * as z from 'zod'
import { callable, defineOptions, flag, limitOf, positive, section } from '../../kit/options.ts'
import type { PasswordHash } from '../../kit/password.ts'
import { hours, minutes } from '../../kit/time.ts'
import type { DeploymentFacts } from '../settings.ts'
import { readHash } from './hash-formats/foreign-hash.ts'

const linking = 'account.accountLinking'

export const accountOptions = defineOptions(
  'account',
  () =>
    section({
      accountLinking: section({
        /** Whether a sign-in with a provider joins an existing account with the same verified address. */
        enabled: flag(true),
        /** Ids of providers whose addresses are trusted even if they are not marked as verified. */
        trustedProviders: z.array(z.string()).default([]),
        /** Whether users may link a provider account that has another address. */
        allowDifferentEmails: flag(false),
        /** Whether users may unlink their last account, and then cannot sign in with it any more. */
        allowUnlinkingAll: flag(false),
        /** Whether linking replaces name and image by those of the provider. */
        updateUserInfoOnLink: flag(false),
        /** Linked accounts per user. */
        maximumAccounts: positive.default(50),
      }),
      /** Asks users of a provider without addresses for one, which a mailed code verifies. */
      askForEmail: flag(false),
      /** A product's own password hash in place of scrypt. */
      passwordHash: z
        .strictObject({ hash: callable<PasswordHash['hash']>(), verify: callable<PasswordHash['verify']>() })
        .nullable()
        .default(null),
      /**
       * The average number of password hashes per minute and isolate. Further requests wait up to 5 seconds; then the
       * response is 503 with Retry-After. The burst is 10 seconds of the rate, so the minimum is 6.
       */
      hashesPerMinute: z.int().min(6).default(300),
      /**
       * One hash per cost of imported hashes, as `gatehouse import` prints them. Each guess at a password then computes
       * all of them, so that the duration does not reveal imported users.
       */
      importedHashes: z
        .array(
          z
            .string()
            .refine((text) => readHash(text)?.tooMuch === null, 'must be hashes as `gatehouse import` prints them'),
        )
        .default([]),
    }),
  {
    contradictions: ({ accountLinking: { enabled, trustedProviders, allowDifferentEmails } }) => [
      [
        trustedProviders.length > 0 && !enabled,
        `${linking}.trustedProviders`,
        `must be empty while ${linking}.enabled is false`,
      ],
      [
        allowDifferentEmails && !enabled,
        `${linking}.allowDifferentEmails`,
        `must not be true while ${linking}.enabled is false`,
      ],
    ],
  },
)

export const emailVerificationOptions = defineOptions('emailVerification', () =>
  section({
    enabled: flag(true),
    /** Whether a sign-up mails a verification link. */
    sendOnSignUp: flag(false),
    /** The link that verifies the address also signs in. */
    autoSignInAfterVerification: flag(false),
    /** Lifetime of the link. */
    expiresIn: positive.default(hours(1)),
  }),
)

export const emailAndPasswordOptions = defineOptions(
  'emailAndPassword',
  () =>
    section({
      enabled: flag(true),
      /** Whether sign-up with a password is off; existing users still sign in. */
      disableSignUp: flag(false),
      /** A sign-in requires a verified address; each attempt sends a new mail. */
      requireEmailVerification: flag(false),
      /** Whether a sign-up also signs in. */
      autoSignIn: flag(true),
      /** The minimum length of a password, in characters (Unicode code points: most emoji count as one). */
      minPasswordLength: positive.default(8),
      /** The maximum length of a password, in characters (Unicode code points). Longer passwords only cost time to hash. */
      maxPasswordLength: positive.max(4096).default(128),
      /** Whether users can choose common passwords: `refuse` rejects those of a built-in list. */
      commonPasswords: z.enum(['allow', 'refuse']).default('allow'),
      /** Lifetime of the mailed link to a new password. */
      resetPasswordTokenExpiresIn: positive.default(hours(1)),
    }),
  {
    strict: { requireEmailVerification: true, commonPasswords: 'refuse' },
    contradictions: (
      { minPasswordLength, maxPasswordLength, requireEmailVerification },
      { options }: DeploymentFacts,
    ) => [
      [
        maxPasswordLength < minPasswordLength,
        'emailAndPassword.maxPasswordLength',
        'must not be less than emailAndPassword.minPasswordLength',
      ],
      [
        requireEmailVerification && !emailVerificationOptions.of({ options }).enabled,
        'emailVerification.enabled',
        'must be true while emailAndPassword.requireEmailVerification is',
      ],
    ],
  },
)

/** Guesses at a password, per account, from all addresses together. A success resets the count. */
export const passwordGuessOptions = defineOptions('passwordGuesses', () => limitOf(20, minutes(15)))
