import * as z from 'zod'
import { keyAccessLevels } from '../../kit/key-access.ts'
import { type Contradiction, defineOptions, flag, positive, section, zeroOrMore } from '../../kit/options.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { days, minutes, ms } from '../../kit/time.ts'

/** Maximum length of the prefix and of the rest. */
const maxPartLength = 128
export const maxKeyLength = 2 * maxPartLength

/** A token of RFC 9110, section 5.6.2. */
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
const prefixForm = /^[a-zA-Z0-9_-]*$/

const permissions: z.ZodType<Permissions, Permissions> = z.record(z.string(), z.array(z.string()))

const below = (max: number, min: number, setting: string, other: string): Contradiction => [
  max < min,
  `apiKey.${setting}`,
  `must not be less than apiKey.${other}`,
]

export const apiKeyOptions = defineOptions(
  'apiKey',
  () =>
    section({
      enabled: flag(true),
      /** The headers that carry a key; one or several. */
      apiKeyHeaders: z.union([headerName, z.array(headerName).min(1).readonly()]).default('x-api-key'),
      /** A key opens no session of its owner; it can only be verified. */
      disableSessionForAPIKeys: flag(false),
      /**
       * The access level of keys created without one (KeyAccess); null: `full` for a key without permissions,
       * `read-only` for a key with permissions.
       */
      defaultAccess: z.enum(keyAccessLevels).nullable().default(null),
      /** Characters of a key after its prefix. A shorter text is not a key, so raising this ends older, shorter keys. */
      defaultKeyLength: z.int().min(32).max(maxPartLength).default(64),
      /** Rejects a text without the checksum of a key before the database is read. Imported keys have no checksum. */
      checksum: flag(false),
      /** For keys created without a prefix. */
      defaultPrefix: z
        .string()
        .max(maxPartLength)
        .regex(prefixForm, 'must be letters, digits, underscores and hyphens')
        .default(''),
      /** The minimum length of a prefix, in characters. */
      minimumPrefixLength: positive.default(1),
      /** The maximum length of a prefix, in characters. */
      maximumPrefixLength: positive.max(maxPartLength).default(32),
      /** The minimum length of a name, in characters. */
      minimumNameLength: positive.default(1),
      /** The maximum length of a name, in characters. */
      maximumNameLength: positive.default(32),
      /** Whether keys can carry `metadata` of their own. */
      enableMetadata: flag(false),
      /** Keys of one user, and of one organization; null: any number. */
      keysPerOwner: positive.nullable().default(100),
      /** Keys of one guest (feature anonymous). */
      keysPerGuest: zeroOrMore.default(5),
      /** The number of readable characters of a stored key, so that users recognize it. */
      startingCharactersConfig: section({
        /** Whether the first characters of a key are stored. */
        shouldStore: flag(true),
        /** The number of characters, with the prefix. */
        charactersLength: positive.default(6),
      }),
      keyExpiration: section({
        /** Seconds; null: keys do not expire unless created with an expiry. */
        defaultExpiresIn: positive.nullable().default(null),
        /** Whether users cannot choose the expiry of their keys. */
        disableCustomExpiresTime: flag(false),
        /** Days, as in the protocol. */
        minExpiresIn: zeroOrMore.default(1),
        /** The maximum expiry that users can choose, in days. */
        maxExpiresIn: positive.default(365),
      }),
      /**
       * A key without quota and rate limit is accepted from the memory of the Worker. A change of the key or of its owner
       * is known within 5 seconds.
       */
      cache: section({
        /** Whether verified keys are remembered. */
        enabled: flag(true),
        /** How long a key is accepted without a read of the database. Its last use is as much late. */
        maxAge: positive.max(minutes(15)).default(minutes(5)),
      }),
      /** For keys created without limits of their own. The window is in milliseconds, as in the protocol. */
      rateLimit: section({
        /** Whether keys without limits of their own are limited. */
        enabled: flag(true),
        /** The period of `maxRequests`. */
        timeWindow: positive.default(ms(days(1))),
        /** The maximum number of verifications in `timeWindow`; a further one is rejected with RATE_LIMITED. */
        maxRequests: positive.default(10),
      }),
      permissions: section({
        /** For keys created without permissions. */
        defaultPermissions: permissions.nullable().default(null),
        /** The permissions that users may grant to their own keys; only servers grant others. */
        selectable: permissions.default({}),
      }),
    }),
  {
    strict: { defaultAccess: 'verify-only' },
    contradictions: ({ keyExpiration: { minExpiresIn, maxExpiresIn }, ...own }) => [
      below(own.maximumPrefixLength, own.minimumPrefixLength, 'maximumPrefixLength', 'minimumPrefixLength'),
      below(own.maximumNameLength, own.minimumNameLength, 'maximumNameLength', 'minimumNameLength'),
      below(maxExpiresIn, minExpiresIn, 'keyExpiration.maxExpiresIn', 'keyExpiration.minExpiresIn'),
    ],
  },
)

export const keyHeadersOf = (scope: Parameters<typeof apiKeyOptions.of>[0]): readonly string[] =>
  [apiKeyOptions.of(scope).apiKeyHeaders].flat()
