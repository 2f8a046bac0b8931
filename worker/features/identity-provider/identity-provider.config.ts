import * as z from 'zod'
import { callable, positive, zeroOrMore } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, hours, minutes, seconds } from '../../kit/time.ts'
import type { ConsentHTML } from './consent/consent-html.ts'

/** A client that the configuration names: it is known without a row, and its people are not asked for consent. */
export interface TrustedClient {
  clientId: string
  /** Absent for a public client, which has to use PKCE. */
  clientSecret?: string
  name: string
  icon?: string
  redirectURLs: string[]
  disabled?: boolean
  metadata?: Record<string, unknown>
  /** Ask for consent all the same. */
  askConsent?: boolean
}

const trustedClient = z.strictObject({
  clientId: z.string(),
  clientSecret: z.string().min(16).optional(),
  name: z.string(),
  icon: z.string().optional(),
  redirectURLs: z.array(z.string()),
  disabled: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  askConsent: z.boolean().optional(),
})

export const identityProviderOptions = defineOptions(
  'identityProvider',
  {
    /** On: until somebody signs in and registers a client there is nobody to give a token to. */
    enabled: true,
    /** Where people sign in; it gets the query of the authorization request. */
    loginPage: '/sign-in',
    /** Where people agree; it gets `consent_code`, `client_id` and `scope`. */
    consentPage: '/consent' as string | null,
    /** Makes that page itself, instead. */
    consentHTML: null as ConsentHTML | null,
    /** Where people enter the code that a device shows (RFC 8628). */
    devicePage: '/device',
    /** Where people are asked whether they want to be signed out, when a client cannot show that it is theirs. */
    logoutPage: '/sign-out/application',
    /** Whether anybody may register a client (RFC 7591), or only people who are signed in. */
    allowDynamicClientRegistration: false,
    /** Clients whose id is the address of a document that describes them; null: where MCP is on. */
    clientIdMetadataDocuments: null as boolean | null,
    /** Clients by configuration; a text is the id of a registered one whose people are not asked for consent. */
    trustedClients: [] as (string | TrustedClient)[],
    /** Scopes besides openid, profile, email and offline_access. */
    scopes: [] as string[],
    /** Resource servers that a client may ask tokens for (RFC 8707). */
    resources: [] as string[],
    accessTokenExpiresIn: hours(1),
    refreshTokenExpiresIn: days(7),
    codeExpiresIn: minutes(10),
    /** How long login and consent may take. */
    promptExpiresIn: minutes(10),
    /**
     * A refresh token that comes again within this time gets the same answer again, which its client may have lost;
     * later, or with 0 at once, it ends everything that came from it.
     */
    refreshTokenGrace: seconds(10),
    /** Of confidential clients too. Public clients always have to, with S256. */
    requirePKCE: false,
    /** Confidential clients may send their challenge as it is. */
    allowPlainCodeChallengeMethod: true,
  },
  { requirePKCE: true, allowPlainCodeChallengeMethod: false },
  {
    consentPage: z.string().nullable(),
    consentHTML: callable<ConsentHTML>().nullable(),
    clientIdMetadataDocuments: z.boolean().nullable(),
    trustedClients: z.array(z.union([z.string(), trustedClient])),
    // The keys of an id token stay published for a day.
    accessTokenExpiresIn: positive.max(days(1)),
    refreshTokenGrace: zeroOrMore,
  },
)

/** The scopes that everybody knows (OpenID Connect Core, sections 3.1.2.1, 5.4 and 11). */
export const standardScopes = ['openid', 'profile', 'email', 'offline_access'] as const

export const supportedScopes = (scope: Parameters<typeof identityProviderOptions.of>[0]): string[] => [
  ...standardScopes,
  ...identityProviderOptions.of(scope).scopes,
]
