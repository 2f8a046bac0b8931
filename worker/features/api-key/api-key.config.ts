import * as z from 'zod'
import { positive, zeroOrMore } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { days, ms } from '../../kit/time.ts'

/** Of a prefix, and of what follows it. */
const longestPart = 128
/** What is longer is no key. */
export const longestKey = 2 * longestPart

/** A token of RFC 9110, section 5.6.2. */
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
const prefixForm = /^[a-zA-Z0-9_-]*$/

const permissions = z.record(z.string(), z.array(z.string()))

export const apiKeyOptions = defineOptions(
  'apiKey',
  {
    enabled: true,
    /** The headers that a key may come in; one or several. */
    apiKeyHeaders: 'x-api-key' as string | readonly string[],
    /** A key opens no session of its owner; it can only be verified. */
    disableSessionForAPIKeys: false,
    /** Characters of a key after its prefix. What is shorter is no key, so that raising this ends older, shorter keys. */
    defaultKeyLength: 64,
    /**
     * Whether what lacks the checksum of a key is refused without asking the database. Only where every key was made
     * here: those that were imported have none.
     */
    checksum: false,
    /** For keys whose maker chooses none; empty: none. */
    defaultPrefix: '',
    minimumPrefixLength: 1,
    maximumPrefixLength: 32,
    minimumNameLength: 1,
    maximumNameLength: 32,
    enableMetadata: false,
    /** How much of a key is kept readable, so that people know it again. */
    startingCharactersConfig: { shouldStore: true, charactersLength: 6 },
    keyExpiration: {
      /** Seconds; null: keys do not expire unless their maker says so. */
      defaultExpiresIn: null as number | null,
      disableCustomExpiresTime: false,
      /** Days, as in the protocol. */
      minExpiresIn: 1,
      maxExpiresIn: 365,
    },
    /** For keys that are made without limits of their own. The window is in milliseconds, as in the protocol. */
    rateLimit: { enabled: true, timeWindow: ms(days(1)), maxRequests: 10 },
    permissions: {
      /** Of keys that are made without any. */
      defaultPermissions: null as Permissions | null,
      /** What people may give to their own keys; other permissions are set by servers only. */
      selectable: {} as Permissions,
    },
  },
  undefined,
  {
    apiKeyHeaders: z.union([headerName, z.array(headerName).min(1)]),
    defaultKeyLength: z.int().min(32).max(longestPart),
    defaultPrefix: z.string().max(longestPart).regex(prefixForm, 'must be letters, digits, underscores and hyphens'),
    maximumPrefixLength: z.int().min(1).max(longestPart),
    keyExpiration: { defaultExpiresIn: positive.nullable(), minExpiresIn: zeroOrMore },
    permissions: { defaultPermissions: permissions.nullable(), selectable: permissions },
  },
)

/** The headers that a key may come in, the first one first. */
export const keyHeadersOf = (scope: Parameters<typeof apiKeyOptions.of>[0]): readonly string[] =>
  [apiKeyOptions.of(scope).apiKeyHeaders].flat()
