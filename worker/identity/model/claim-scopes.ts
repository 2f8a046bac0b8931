/** Scopes of the identity provider whose claims come from features. */
export const claimScopes = ['roles', 'organizations', 'groups'] as const

export type ClaimScope = (typeof claimScopes)[number]
