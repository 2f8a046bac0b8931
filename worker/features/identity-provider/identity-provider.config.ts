import * as z from 'zod'
import { claimScopes } from '../../identity/model/claim-scopes.ts'
import {
  type Contradiction,
  callable,
  defineOptions,
  flag,
  limitOf,
  objectOf,
  positive,
  section,
  zeroOrMore,
} from '../../kit/options.ts'
import { days, hours, minutes, seconds } from '../../kit/time.ts'
import { acceptedIssuer, issuedAssertions } from './assertion-rules.ts'
import { detailContradictions, detailType } from './detail-types.config.ts'
import { resourceIdentifier, scopeName, tokenFormats } from './identifiers.ts'

/** The question that a product's consent page shows. */
export interface ConsentQuestion {
  scopes: string[]
  /** Each authorization detail as a sentence, in the language of the browser. */
  authorizationDetails: string[]
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
const trustedClient = () =>
  objectOf({
    /** The `client_id` of its requests. */
    clientId: z.string(),
    /** Omitted for a public client, which must use PKCE. */
    clientSecret: z.string().min(16).optional(),
    /** The name that users see. */
    name: z.string(),
    /** Address of its icon on the screens. */
    icon: z.string().optional(),
    /** The exact redirect URIs of the client; https, http for loopback, or a private scheme with a dot for an app. */
    redirectURLs: z.array(z.string()),
    /** Whether the client is rejected. @default false */
    disabled: z.boolean().optional(),
    /** Data of your own, which the consent page gets. */
    metadata: z.record(z.string(), z.unknown()).optional(),
    /** Asks for consent anyway. */
    askConsent: z.boolean().optional(),
  })

export type TrustedClient = z.infer<ReturnType<typeof trustedClient>>

/** What `claims` of a resource server gets: the grant that an access token is for. */
export interface AccessTokenFacts {
  resource: string
  clientId: string
  scopes: readonly string[]
  /** Null for a token of a service. */
  user: Readonly<Record<string, unknown>> | null
}

/** Returns claims in addition to those of RFC 9068, section 2.2, which it cannot replace. */
export type AccessTokenClaims = (facts: AccessTokenFacts) => Record<string, unknown> | Promise<Record<string, unknown>>

/** A resource server: an API that accepts access tokens of this server (RFC 8707, RFC 9068). */
const resourceServer = () =>
  objectOf({
    /** The `aud` of its tokens, which clients name as `resource`. */
    identifier: resourceIdentifier(),
    /** The scopes that only its tokens have, each with the words that the consent page shows. */
    scopes: z.record(scopeName(), z.string().min(1).max(200)).default({}),
    /** `opaque` tokens need introspection; a `jwt` is verified without a request (RFC 9068). */
    tokenFormat: z.enum(tokenFormats).default('opaque'),
    /** Seconds; null: `accessTokenExpiresIn`. */
    accessTokenExpiresIn: positive.max(days(1)).nullable().default(null),
    /** Additional claims of its JWTs. */
    claims: callable<AccessTokenClaims>().nullable().default(null),
  })

export type ResourceServer = z.output<ReturnType<typeof resourceServer>>

/** Tokens of another issuer that identify a service, such as those of a CI job (RFC 7523, section 2.1). */
const workload = () =>
  objectOf({
    /** Its `iss`. Its discovery document names its keys, unless `jwksUri` does. */
    issuer: z.url(),
    /** The address of its key set; null: as its discovery document says. */
    jwksUri: z.url().nullable().default(null),
    /** The `aud` that its tokens must have; null: the issuer identifier of this server. */
    audience: z.string().min(1).nullable().default(null),
    /** Claims that its tokens must have, by name: the exact value, or one of several. */
    claims: z
      .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))
      .refine((claims) => Object.keys(claims).length > 0, 'must name a claim: every account of the issuer has tokens'),
  })

export type Workload = z.output<ReturnType<typeof workload>>

/** A caller without a user: a server, a job, a program (RFC 6749, section 4.4). */
const service = () =>
  objectOf({
    /** The `sub` of its tokens. Without credentials in this entry: the id of a registered confidential client. */
    clientId: z.string().min(1).max(200),
    /** The name in logs and in the administration; empty: the client id. */
    name: z.string().default(''),
    /** Its secret, for `client_secret_basic` and `client_secret_post`; at least 32 characters. */
    clientSecret: z.string().min(32).optional(),
    /** Public keys for `private_key_jwt` (RFC 7523, section 2.2). */
    jwks: z
      .object({
        /** JSON Web Keys (RFC 7517), 1 to 10. */
        keys: z.array(z.record(z.string(), z.unknown())).min(1).max(10),
      })
      .optional(),
    /** The address of its public keys, in place of `jwks`. */
    jwksUri: z.url().optional(),
    /** Tokens of other issuers that it may exchange for its own. */
    workloads: z.array(workload()).default([]),
    /** Resources with the scopes that it may have there. */
    access: z.record(resourceIdentifier(), z.array(scopeName())),
    /** Every token is bound to a key (RFC 9449). */
    requireDPoP: flag(false),
    /** Tokens that it receives at most. */
    limit: limitOf(60, minutes(1)),
    /** Whether the service receives no tokens. */
    disabled: flag(false),
  })

export type Service = z.output<ReturnType<typeof service>>

/** The part of the deployment that a rule reads; the client imports this file, so it cannot import all of its types. */
interface Audiences {
  settings: { baseUrl: string }
  options: { jwt?: { audience?: string | string[] | null } }
}

/** OpenID Connect Core, sections 3.1.2.1, 5.4 and 11. */
const standardScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

const scopesOf = (given: string | ResourceServer): string[] => Object.keys(asResourceServer(given).scopes)

export const identityProviderOptions = defineOptions(
  'identityProvider',
  () =>
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
      /** Agents of a user, or of an organization; null: any number. Guests have none. */
      agentsPerOwner: positive.nullable().default(25),
      /**
       * Providers of sign-in whose access tokens an agent can receive for a user who allows it: provider id to its scopes, each
       * with the words that the user reads. `openid`, `profile` and `email` need no entry.
       */
      agentProviders: z.record(z.string(), z.record(scopeName(), z.string().min(1).max(200))).default({}),
      /** Identity assertions (draft-ietf-oauth-identity-assertion-authz-grant), by rules that replace a consent; off without rules. */
      identityAssertions: section({
        /** As the identity provider of other authorization servers. */
        issue: z.array(issuedAssertions()).default([]),
        /** As the authorization server of resources. */
        accept: z.array(acceptedIssuer()).default([]),
      }),
      /** How long a client without an owner and without any consent is stored. */
      unusedClientLifetime: positive.default(days(1)),
      /** Accepts clients whose id is the address of a document that describes them; null: if MCP is on. */
      clientIdMetadataDocuments: z.boolean().nullable().default(null),
      /** Clients of the configuration; a string is the id of a registered one whose users are not asked for consent. */
      trustedClients: z.array(z.union([z.string(), trustedClient()])).default([]),
      /** Scopes in addition to openid, profile, email and offline_access. */
      scopes: z.array(z.string()).default([]),
      /**
       * Scopes with claims about the place of a user: `roles` and permissions in this application, `organizations` with
       * the roles there, and both as `groups`. None is offered by default.
       */
      claimScopes: z.array(z.enum(claimScopes)).default([]),
      /** Resource servers that a client may request tokens for (RFC 8707): the identifier, or all properties. */
      resources: z.array(z.union([z.string(), resourceServer()])).default([]),
      /**
       * Resource servers that an organization registers at run time, for its members; 0: none, and those that were registered earlier are
       * not accepted.
       */
      resourcesPerOrganization: zeroOrMore.max(100).default(0),
      /** Types of authorization details that a client may request: bounded permissions with fields (RFC 9396). */
      authorizationDetailTypes: z.array(detailType()).max(50).default([]),
      /** Clients without a user, which receive tokens for themselves. */
      services: z.array(service()).default([]),
      /**
       * Clients that are resource servers: client id to the resources whose tokens they may introspect. An administrator
       * adds more with `ServerApi.setClientResources`. A registration by the client itself grants none.
       */
      resourceServers: z.record(z.string(), z.array(z.url()).min(1)).default({}),
      /** Lifetime of access tokens and id tokens, at most a day: the keys of an id token stay published for a day. */
      accessTokenExpiresIn: positive.max(days(1)).default(hours(1)),
      /** Lifetime of a refresh token; each use extends it up to `refreshTokenMaxLifetime`. */
      refreshTokenExpiresIn: positive.default(days(7)),
      /** Absolute lifetime of refresh tokens after the authorization, independent of rotations. */
      refreshTokenMaxLifetime: positive.default(days(90)),
      /** Lifetime of an authorization code. */
      codeExpiresIn: positive.default(minutes(10)),
      /** The longest time in which a user can answer a request for an approval (CIBA); without `requested_expiry` ten minutes at most. */
      approvalExpiresIn: positive.max(days(1)).default(hours(1)),
      /** Requests for an approval of one client to one user, known or not. */
      approvalRequests: limitOf(5, minutes(10)),
      /** Timeout (s) of login and consent. */
      promptExpiresIn: positive.default(minutes(10)),
      /**
       * A refresh token that is repeated within this time (s) gets the same response again, which the client may have
       * lost; after it, or with 0 immediately, the repetition ends all tokens of the grant.
       */
      refreshTokenGrace: zeroOrMore.default(seconds(10)),
      /**
       * `fapi2` enforces the FAPI 2.0 Security Profile for all clients: pushed requests, `private_key_jwt`, DPoP, S256, codes
       * of one minute, and signatures with ES256, PS256 or EdDSA.
       */
      securityProfile: z.enum(['standard', 'fapi2']).default('standard'),
      /** Proofs of possession need a nonce of this server (RFC 9449, section 8). Clients repeat a request to get one. */
      requireDPoPNonce: flag(false),
      /** For confidential clients too. Public clients always use PKCE, with S256. */
      requirePKCE: flag(false),
      /** Confidential clients may use the challenge method `plain`. */
      allowPlainCodeChallengeMethod: flag(true),
    }),
  {
    strict: { requirePKCE: true, allowPlainCodeChallengeMethod: false },
    contradictions: (
      { resources, scopes, claimScopes, services, trustedClients, securityProfile, authorizationDetailTypes },
      { settings, options }: Audiences,
    ) => [
      ...services.map(
        ({ clientSecret, workloads }, index): Contradiction => [
          securityProfile === 'fapi2' && (clientSecret !== undefined || workloads.length > 0),
          `identityProvider.services.${index}`,
          'must have jwks or jwksUri while identityProvider.securityProfile is fapi2',
        ],
      ),
      ...trustedClients.map(
        (client, index): Contradiction => [
          securityProfile === 'fapi2' && typeof client !== 'string',
          `identityProvider.trustedClients.${index}`,
          'must be the id of a registered client with private_key_jwt while identityProvider.securityProfile is fapi2',
        ],
      ),
      ...resources.map((given, index): Contradiction => {
        const { identifier, tokenFormat } = asResourceServer(given)
        const audiences = [options.jwt?.audience ?? [], settings.baseUrl].flat()
        return [
          tokenFormat === 'jwt' && audiences.includes(identifier.replace(/\/$/, '')),
          `identityProvider.resources.${index}.identifier`,
          'must not be the audience of session tokens (jwt.audience, the base URL) while tokenFormat is jwt',
        ]
      }),
      // A consent is stored by scope: that to one resource must not be one to another.
      ...resources.map((given, index): Contradiction => {
        const others = resources.filter((_, other) => other !== index).flatMap(scopesOf)
        const taken = [...standardScopes, ...claimScopes, ...scopes, ...others]
        return [
          scopesOf(given).some((name) => taken.includes(name)),
          `identityProvider.resources.${index}.scopes`,
          'must not contain a scope of another resource, of identityProvider.scopes or of OpenID Connect',
        ]
      }),
      ...detailContradictions(authorizationDetailTypes),
      ...authorizationDetailTypes.map(
        ({ resource, scope }, index): Contradiction => [
          (resource !== null && !resources.some((given) => asResourceServer(given).identifier === resource)) ||
            (scope !== null && ![...scopes, ...resources.flatMap(scopesOf)].includes(scope)),
          `identityProvider.authorizationDetailTypes.${index}`,
          'must have a resource of identityProvider.resources, and a scope of it or of identityProvider.scopes',
        ],
      ),
      ...services.map(
        ({ clientSecret, jwks, jwksUri }, index): Contradiction => [
          [clientSecret, jwks, jwksUri].filter(Boolean).length > 1,
          `identityProvider.services.${index}`,
          'must have one of clientSecret, jwks and jwksUri',
        ],
      ),
      ...services.map(
        ({ clientId }, index): Contradiction => [
          services.findIndex((other) => other.clientId === clientId) !== index ||
            trustedClients.some((client) => typeof client !== 'string' && client.clientId === clientId),
          `identityProvider.services.${index}.clientId`,
          'must not be the clientId of another service or of a client in identityProvider.trustedClients',
        ],
      ),
      ...services.flatMap(({ access }, index) =>
        Object.entries(access).map(([identifier, names]): Contradiction => {
          const resource = resources.map(asResourceServer).find((one) => one.identifier === identifier)
          return [
            !resource || names.some((name) => !Object.hasOwn(resource.scopes, name)),
            `identityProvider.services.${index}.access`,
            `must name resources of identityProvider.resources and their scopes; see ${identifier}`,
          ]
        }),
      ),
    ],
  },
)

/** The properties of a resource server of which the configuration has the identifier only. */
export const asResourceServer = (given: string | ResourceServer): ResourceServer =>
  typeof given === 'string'
    ? { identifier: given, scopes: {}, tokenFormat: 'opaque', accessTokenExpiresIn: null, claims: null }
    : given

/** The scopes of this server, without those of resources. */
export const ownScopes = (scope: Parameters<typeof identityProviderOptions.of>[0]): string[] => {
  const { scopes, claimScopes } = identityProviderOptions.of(scope)
  return [...standardScopes, ...claimScopes, ...scopes]
}
