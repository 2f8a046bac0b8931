import type { ProviderTokens } from '../model/provider.ts'

/** The tokens of an account as /refresh-token returns them, without fields that the provider does not return. */
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

/** The same in the form of /get-access-token: without the type. */
export function presentAccess(tokens: ProviderTokens): PresentedTokens {
  const { tokenType: _, ...presented } = presentTokens(tokens)
  return presented
}
