import { OAuthProvider } from './oauth-provider.ts'
import type { Grant, ProviderPerson } from './provider-documentation.ts'
import { type DocumentedProvider, documentation } from './social/documentation.ts'

export type Json = Record<string, any>

export interface SocialChange {
  /** The fields of token responses in addition to the access token. */
  grants?: (grant: Grant) => Json
  /** Changes a token response. @param n its number, from 1 */
  token?: (answer: Json, n: number) => Json | Response
  /** Refresh tokens stay valid after their use. */
  withoutRotation?: true
  issuer?: string
  claims?: (person: ProviderPerson) => Json
  /** The id token lacks the nonce of the request. */
  withoutNonce?: true
  /** Changes a response of the API. */
  api?: (answer: Json) => unknown
  callback?: (parameters: Record<string, string>) => void
  /** Sign-ins before the results are read. @default 1 */
  signIns?: number
}

/** A provider whose responses are changed. */
export function deviating(id: DocumentedProvider, change: SocialChange): OAuthProvider {
  const { grants, issuer, claims, withoutRotation, withoutNonce, token: changeToken, api: changeApi } = change
  const { token, ...rest } = documentation[id]
  const provider = new OAuthProvider({
    ...{ ...rest, ...(issuer ? { issuer } : {}), ...(claims ? { claims } : {}) },
    token: {
      ...token,
      ...(grants ? { answer: grants, refresh: true } : {}),
      ...(withoutRotation ? { withoutRotation } : {}),
    },
  })
  if (withoutNonce) {
    const sign = provider.signIdToken.bind(provider)
    provider.signIdToken = (audience) => sign(audience)
  }
  const receive = provider.receive.bind(provider)
  let n = 0
  provider.receive = async (request, signal) => {
    const answer = await receive(request, signal)
    const { origin, pathname } = new URL(request.url)
    const at = `${origin}${pathname}`
    const isJson = answer.headers.get('content-type')?.includes('json') && at !== rest.jwks
    const changed = at === token.url ? changeToken : changeApi
    if (!isJson || !changed) return answer
    const result = changed(await answer.json(), ++n)
    return result instanceof Response ? result : Response.json(result)
  }
  return provider.install()
}
