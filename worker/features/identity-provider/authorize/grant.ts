/** What an authorization code stands for. */
export interface AuthorizationCode {
  clientId: string
  redirectUri: string
  scopes: string[]
  /** What the token request has to prove: `S256:<challenge>`, `plain:<challenge>`, or nothing (RFC 7636, section 4.3). */
  proof: string
  nonce: string | null
  resource: string | null
  /** Thumbprint of the key that the code is bound to (RFC 9449, section 10); empty for none. */
  keyThumbprint: string
  userId: string
  sessionId: string
  securityVersion: number
  /** Unix ms. */
  authTime: number
  amr: string[]
}

/** What a request asks for, before it is known whose it will be. */
export type Granted = Omit<AuthorizationCode, 'userId' | 'sessionId' | 'authTime' | 'securityVersion' | 'amr'>
