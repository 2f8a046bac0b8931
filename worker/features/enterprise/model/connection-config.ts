import * as z from 'zod'

const plain = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'no control characters')

/** Names of claims or attributes, which may be URLs. */
const attribute = plain(256)

/** An OpenID provider (OpenID Connect Discovery 1.0): its endpoints come from its discovery document. */
export const oidcConfig = z.object({
  type: z.literal('oidc'),
  /** https, public; `/.well-known/openid-configuration` is added. */
  issuer: z.string().min(1).max(512),
  clientId: plain(256),
  /** How the token request authenticates the client. `private-key-jwt` (RFC 7523): with a key pair of the connection. */
  authentication: z
    .enum(['client-secret-basic', 'client-secret-post', 'private-key-jwt'])
    .default('client-secret-basic'),
  /** In addition to openid, email and profile. */
  scopes: z.array(plain(128).regex(/^\S+$/)).max(20).default([]),
})

/** A SAML 2.0 identity provider. */
export const samlConfig = z.object({
  type: z.literal('saml'),
  entityId: plain(1024),
  /** Its single sign-on service with the HTTP redirect binding. */
  ssoUrl: z.string().min(1).max(2048),
  /** Signing certificates: during a rollover the old and the new one. PEM, or the base64 text of metadata. */
  certificates: z.array(z.string().min(1).max(8192)).min(1).max(5),
  /** Its single logout service with the HTTP redirect binding. */
  sloUrl: z.string().min(1).max(2048).nullable().default(null),
  /** Its metadata, which is read every day: addresses and certificates follow it. */
  metadataUrl: z.string().min(1).max(2048).nullable().default(null),
  /** Whether our requests for a sign-in are signed. Messages of a logout always are. */
  signsRequests: z.boolean().default(true),
  /** Whether a sign-in can begin at the identity provider. Its response then starts a sign-in of ours. */
  acceptsIdpInitiated: z.boolean().default(false),
})

export const connectionConfig = z.discriminatedUnion('type', [oidcConfig, samlConfig])
export type ConnectionConfig = z.infer<typeof connectionConfig> & {
  /** Of the key pair of an OpenID connection. */
  publicKey?: Record<string, unknown> | undefined
  /** When the last certificate of a SAML connection expires, in ISO 8601. */
  certificatesExpireAt?: string | undefined
}
export type SamlConfig = Extract<ConnectionConfig, { type: 'saml' }>
export type OidcConfig = Extract<ConnectionConfig, { type: 'oidc' }>

/** What a sign-in takes from the identity provider. */
export const mapping = z.object({
  /** The names of the claims or attributes. Null: the usual ones. */
  email: attribute.nullable().default(null),
  name: attribute.nullable().default(null),
  groups: attribute.nullable().default(null),
  /**
   * Claims or attributes that each sign-in must have, with one of the values. A change of the mapping without this field keeps
   * them.
   */
  required: z
    .array(z.object({ name: attribute, values: z.array(plain(256)).min(1).max(50) }))
    .max(20)
    .optional(),
  /** Whether a sign-in makes a user of a verified domain a member. Otherwise only members sign in. */
  createsMembers: z.boolean().default(true),
  /** The role of a new member without a mapped group. */
  defaultRole: z.string().max(64).default('member'),
  /** The role of members by group; each sign-in sets it. Without a matching group the role remains. */
  roles: z
    .array(z.object({ group: plain(256), role: z.string().max(64) }))
    .max(100)
    .default([]),
  /** The teams of members by group; each sign-in adds and removes them. */
  teams: z
    .array(z.object({ group: plain(256), teamId: z.string().max(64) }))
    .max(100)
    .default([]),
})
export type Mapping = z.infer<typeof mapping>

/** Whether the values of the identity provider have been entered. */
export const isComplete = (config: ConnectionConfig): boolean =>
  (config.type === 'oidc' ? config.issuer : config.entityId) !== ''

export const connectionName = plain(64)

/** A new connection: with its configuration, or with its type alone. */
export const newConnectionFields = {
  name: connectionName,
  type: z.enum(['oidc', 'saml']).optional(),
  config: connectionConfig.optional(),
}

/** A new connection needs a type, alone or in its configuration. */
export const typeIsKnown = (body: { type?: unknown; config?: unknown }): boolean =>
  (body.type ?? body.config) !== undefined
export const typeIsUnknown = { path: ['config'], message: 'is required without a type' }
