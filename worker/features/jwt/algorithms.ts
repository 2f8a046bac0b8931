/** JWS algorithms (RFC 7518, section 3.1; RFC 8037, section 3.1). */
export const algorithms = ['EdDSA', 'ES256', 'ES512', 'PS256', 'RS256'] as const
export type Algorithm = (typeof algorithms)[number]
