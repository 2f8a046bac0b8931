import * as z from 'zod'
import { boundedRecord } from '../../../../kit/bounded-record.ts'
import { fitsAsMetadata, metadataBytes } from '../../../../kit/metadata.ts'

/** Clients call these endpoints from any site and without cookies. */
export const forClients = { access: 'visitor', origins: { foreignPosts: true, any: true } } as const

/** Client authentication in a form (RFC 6749, section 2.3.1; RFC 7521, section 4.2), instead of the header. */
export const clientCredentials = {
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  client_assertion_type: z.string().optional(),
  client_assertion: z.string().optional(),
}

/** Granted authorization details (RFC 9396, section 2): `type`, and the fields of the type. */
export const authorizationDetails = z
  .array(z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string()).max(50)])))
  .max(10)

/** The same in words: the sentence by language. */
export const detailSentences = z
  .array(z.object({ type: z.string(), sentence: z.record(z.string(), z.string()) }))
  .max(10)

/** The form of a client that introspects or revokes a token. */
export const tokenInput = z.object({ token: z.string(), token_type_hint: z.string().optional(), ...clientCredentials })

/** As long as an address can be. */
const parameter = z.string().max(16_384)

/** An authorization request. The checks of the protocol validate it, because they select the recipient of an error. */
export const authorizationQuery = z.looseObject({
  client_id: parameter.optional(),
  response_type: parameter.optional(),
  redirect_uri: parameter.optional(),
  scope: parameter.optional(),
  state: parameter.optional(),
  prompt: parameter.optional(),
  code_challenge: parameter.optional(),
  code_challenge_method: parameter.optional(),
  nonce: parameter.optional(),
  max_age: parameter.optional(),
  acr_values: parameter.optional(),
  resource: parameter.optional(),
  authorization_details: parameter.optional(),
  claims: parameter.optional(),
  request: parameter.optional(),
  request_uri: parameter.optional(),
})

/** What users see of a client. */
export const shownClient = z.object({ clientId: z.string(), name: z.string(), icon: z.string().nullable() })

/** The public keys of a client (RFC 7517) or their https address, in place of a secret (`private_key_jwt`, RFC 7523). */
export const publicKeys = {
  jwks: z
    .object({
      keys: z
        .array(boundedRecord(z.string().max(256), z.unknown(), 100))
        .min(1)
        .max(10),
    })
    .refine(fitsAsMetadata, `at most ${metadataBytes} bytes`)
    .optional(),
  jwksUri: z.string().max(1000).optional(),
}
