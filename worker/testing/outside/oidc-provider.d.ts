/** The used part of oidc-provider, which has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface OidcAccount {
    accountId: string
    claims(use: string, scope: string): Record<string, unknown>
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    Grant: new (given: {
      clientId: string
      accountId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    /** The answer of a user to a request by CIBA. @param result a grant, or an error */
    backchannelResult(request: string, result: object, authentication?: { acr: string }): Promise<void>
  }

  export const errors: { AccessDenied: new () => Error }
}
