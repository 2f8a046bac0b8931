import type { ProviderTokens } from './provider.ts'

/** The tokens of an account as /refresh-token shows them. What the provider does not tell is left out. */
export interface PresentedTokens {
  accessToken: string
  refreshToken?: string
  tokenType?: string
  scopes: string[]
  accessTokenExpiresAt?: Date
  refreshTokenExpiresAt?: Date
  idToken?: string
}

export const presentTokens = (tokens: ProviderTokens): PresentedTokens => ({
  accessToken: tokens.accessToken!,
  ...(tokens.refreshToken !== null && { refreshToken: tokens.refreshToken }),
  tokenType: tokens.tokenType,
  scopes: tokens.scopes,
  ...(tokens.accessTokenExpiresAt && { accessTokenExpiresAt: tokens.accessTokenExpiresAt }),
  ...(tokens.refreshTokenExpiresAt && { refreshTokenExpiresAt: tokens.refreshTokenExpiresAt }),
  ...(tokens.idToken !== null && { idToken: tokens.idToken }),
})

/** The same as /get-access-token shows them: without the type. */
export function presentAccess(tokens: ProviderTokens): PresentedTokens {
  const { tokenType: _, ...presented } = presentTokens(tokens)
  return presented
}
