import * as z from 'zod'
import { callable, defineOptions, flag, limitOf, objectOf, positive, section, zeroOrMore } from '../../kit/options.ts'
import { days, hours, minutes, seconds } from '../../kit/time.ts'

/** The question that a product's consent page shows. */
export interface ConsentQuestion {
  scopes: string[]
  clientId: string
  clientName: string
  clientIcon: string | null
  clientMetadata: Record<string, unknown> | null
  /** The client's name and icon are its own statement, which no operator has checked. The page has to say so. */
  selfRegistered: boolean
  /** Seconds that the client keeps access. */
  accessExpiresIn: number
  /** `consent_code` of POST /oauth2/consent, which returns the next address for the browser. */
  code: string
  /** For the script elements of the page; no other script runs. */
  nonce: string
}

/** Returns a consent page as HTML. It has to escape every value of the question. */
export type ConsentHTML = (question: ConsentQuestion) => string | Promise<string>

/** A client of the configuration. It is not stored, and its users are not asked for consent. */
const trustedClient = objectOf({
  clientId: z.string(),
  /** Omitted for a public client, which must use PKCE. */
  clientSecret: z.string().min(16).optional(),
  name: z.string(),
  icon: z.string().optional(),
  redirectURLs: z.array(z.string()),
  disabled: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** Asks for consent anyway. */
  askConsent: z.boolean().optional(),
})

export type TrustedClient = z.infer<typeof trustedClient>

export const identityProviderOptions = defineOptions(
  'identityProvider',
  section({
    /** On by default: it issues no token until a user registers a client. */
    enabled: flag(true),
    /** The sign-in page; its query is that of the authorization request. */
    loginPage: z.string().default('/sign-in'),
    /** Where a signed-in user authenticates again, with `callbackURL` in its query. null: the login page. */
    stepUpPage: z.string().nullable().default('/step-up'),
    /** Where users consent, with `consent_code`, `client_id` and `scope` in its query. */
    consentPage: z.string().nullable().default('/consent'),
    /** Renders the consent page, in place of `consentPage`. */
    consentHTML: callable<ConsentHTML>().nullable().default(null),
    /** Where users enter the code that a device shows (RFC 8628). */
    devicePage: z.string().default('/device'),
    /** Where users confirm a sign-out if the client does not prove its identity. */
    logoutPage: z.string().default('/sign-out/application'),
    /** Whether visitors may register a client (RFC 7591), or signed-in users only. */
    allowDynamicClientRegistration: flag(false),
    /** Clients that one user registers; null: any number. Guests (feature anonymous) register none. */
    clientsPerUser: positive.nullable().default(25),
    /** Clients that one address (IPv6: one /64) registers without a signed-in user. */
    anonymousClientsPerAddress: limitOf(100, hours(1)),
    /** How long a client without an owner and without any consent is stored. */
    unusedClientLifetime: positive.default(days(1)),
    /** Accepts clients whose id is the address of a document that describes them; null: if MCP is on. */
    clientIdMetadataDocuments: z.boolean().nullable().default(null),
    /** Clients of the configuration; a string is the id of a registered one whose users are not asked for consent. */
    trustedClients: z.array(z.union([z.string(), trustedClient])).default([]),
    /** Scopes in addition to openid, profile, email and offline_access. */
    scopes: z.array(z.string()).default([]),
    /** Resource servers that a client may request tokens for (RFC 8707). */
    resources: z.array(z.string()).default([]),
    /**
     * Clients that are resource servers: client id to the resources whose tokens they may introspect. An administrator
     * adds more with `ServerApi.setClientResources`. A registration by the client itself grants none.
     */
    resourceServers: z.record(z.string(), z.array(z.url()).min(1)).default({}),
    // The keys of an id token stay published for a day.
    accessTokenExpiresIn: positive.max(days(1)).default(hours(1)),
    refreshTokenExpiresIn: positive.default(days(7)),
    /** Absolute lifetime of refresh tokens after the authorization, independent of rotations. */
    refreshTokenMaxLifetime: positive.default(days(90)),
    codeExpiresIn: positive.default(minutes(10)),
    /** Timeout (s) of login and consent. */
    promptExpiresIn: positive.default(minutes(10)),
    /**
     * A refresh token that is repeated within this time (s) gets the same response again, which the client may have
     * lost; after it, or with 0 immediately, the repetition ends all tokens of the grant.
     */
    refreshTokenGrace: zeroOrMore.default(seconds(10)),
    /** For confidential clients too. Public clients always use PKCE, with S256. */
    requirePKCE: flag(false),
    /** Confidential clients may use the challenge method `plain`. */
    allowPlainCodeChallengeMethod: flag(true),
  }),
  { strict: { requirePKCE: true, allowPlainCodeChallengeMethod: false } },
)

/** OpenID Connect Core, sections 3.1.2.1, 5.4 and 11. */
const standardScopes = ['openid', 'profile', 'email', 'offline_access'] as const

export const supportedScopes = (scope: Parameters<typeof identityProviderOptions.of>[0]): string[] => [
  ...standardScopes,
  ...identityProviderOptions.of(scope).scopes,
]
