import * as z from 'zod'
import { flag, objectOf } from '../../kit/options.ts'
import { resourceIdentifier, scopeName } from './identifiers.ts'

/** A rule for assertions about our users, which other authorization servers accept. */
export const issuedAssertions = () =>
  objectOf({
    /** The client here that requests them: a registered confidential client. */
    clientId: z.string().min(1).max(512),
    /** The issuer identifier of the other authorization server. */
    audience: z.url(),
    /** The id of the client there; null: the same. */
    clientIdThere: z.string().min(1).max(512).nullable().default(null),
    /** Resources there that an assertion may name. */
    resources: z.array(resourceIdentifier()).default([]),
    /** Scopes there that an assertion may name. */
    scopes: z.array(scopeName()).default([]),
    /** Whether an assertion contains the address of the user. */
    email: flag(false),
  })

/** An issuer whose assertions about users are accepted here. */
export const acceptedIssuer = () =>
  objectOf({
    /** Its `iss`. Its discovery document names its keys, unless `jwksUri` does. */
    issuer: z.url(),
    /** The address of its key set; null: as its discovery document says. */
    jwksUri: z.url().nullable().default(null),
    /** Clients here that may use its assertions: registered confidential clients. */
    clients: z.array(z.string().min(1).max(512)).min(1),
    /** Resources here with the scopes that tokens may have there. */
    access: z.record(resourceIdentifier(), z.array(scopeName()).min(1)),
    /** The provider of sign-in (`socialProviders`, `genericOAuth`) that is this issuer: `sub` is the account there. null: none. */
    provider: z.string().min(1).nullable().default(null),
    /** Domains of which the issuer verifies the addresses: a verified address there finds the user with the verified address here. */
    domains: z.array(z.string().regex(/^[a-z0-9.-]+$/, 'must be a domain in lower case')).default([]),
  })

export type AcceptedIssuer = z.output<ReturnType<typeof acceptedIssuer>>
