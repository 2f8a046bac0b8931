import * as z from 'zod'
import type { Scope } from '../../../../identity/scope.ts'
import { endpointUrl } from '../../../../identity/settings.ts'
import { open, seal } from '../../../../kit/encrypt.ts'
import { after, minutes } from '../../../../kit/time.ts'
import { withQuery } from '../../../../kit/urls.ts'
import { signJwt } from '../../../jwt/signing-keys.ts'
import type { Client } from '../clients/client.ts'
import { signatureAlgorithm } from '../protocol/security-profile.ts'
import { issuerOf, pageUrl } from '../protocol/urls.ts'

/**
 * How a client gets the response to its authorization request: in the query of its redirect URI (OAuth 2.0 Multiple
 * Response Types, section 2.1), by a form (OAuth 2.0 Form Post Response Mode), or as a signed JWT in one of them (JARM,
 * section 2.3; `jwt` means `query.jwt` for a code).
 */
export const responseModes = ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'] as const

const isFormPost = (mode: string | undefined): boolean => mode?.startsWith('form_post') === true

/** Whether a response can be sent in this way. A form needs an address that accepts it. */
export const canAnswer = (mode: string, redirectUri: string): boolean =>
  responseModes.some((known) => known === mode) && (!isFormPost(mode) || /^https?:/i.test(redirectUri))

/** Seconds until a signed response expires (JARM, section 2.1: at most ten minutes). */
const signedFor = minutes(2)
/** How long a page with a form can be opened. */
const formFor = minutes(2)

/** Where the response goes. */
export interface AnswerTarget {
  clientId: string
  redirectUri: string
  state: string | undefined
  /** Undefined: the query. */
  mode: string | undefined
  /** The algorithm of a signed response. */
  alg: 'RS256' | 'EdDSA'
}

export const answerTarget = (
  { clientId, registration }: Client,
  redirectUri: string,
  given: Readonly<Record<string, string | undefined>>,
): AnswerTarget => ({
  clientId,
  redirectUri,
  state: given.state,
  mode: given.response_mode && canAnswer(given.response_mode, redirectUri) ? given.response_mode : undefined,
  alg: registration.authorization_signed_response_alg ?? 'RS256',
})

const formKind = 'form-post'
const sealedForm = z.object({
  kind: z.literal(formKind),
  redirectUri: z.string(),
  fields: z.record(z.string(), z.string()),
  expiresAt: z.number(),
})

/**
 * The address that takes a response to its client, with the client's state and `iss` (RFC 9207). For a form it is a page
 * of ours, whose query contains the response sealed: a script of the consent page cannot post a form across sites.
 */
export async function answerClient(
  scope: Scope,
  { clientId, redirectUri, state, mode, alg }: AnswerTarget,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const plain = { ...parameters, ...(state === undefined ? {} : { state }), iss: issuerOf(scope) }
  const fields = mode?.endsWith('jwt')
    ? {
        response: await signJwt(
          scope,
          { ...plain, aud: clientId },
          { expiresIn: signedFor, alg: signatureAlgorithm(scope, alg) },
        ),
      }
    : plain
  if (!isFormPost(mode)) return withQuery(redirectUri, fields)
  const expiresAt = after(scope.now(), formFor).getTime()
  const text = JSON.stringify({ kind: formKind, redirectUri, fields, expiresAt } satisfies z.input<typeof sealedForm>)
  const answer = await seal(scope.settings.secrets, text)
  return pageUrl(endpointUrl(scope, '/oauth2/form-post'), new URLSearchParams({ answer }))
}

/** The form behind such an address; null if it has expired or is not ours. */
export async function readForm(
  scope: Scope,
  answer: string,
): Promise<{ redirectUri: string; fields: Record<string, string> } | null> {
  const text = await open(scope.settings.secrets, answer).catch(() => 'null')
  const { success, data } = sealedForm.safeParse(JSON.parse(text))
  return success && data.expiresAt > scope.now().getTime() ? data : null
}
