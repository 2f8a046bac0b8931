// The newest published client, in addition to version 1.2.9, on which the protocol is based. It is a separate package,
// because its plug-ins import `better-auth` by that name.

export { apiKeyClient } from '@better-auth/api-key/client'
export { passkeyClient } from '@better-auth/passkey/client'
export { polarClient } from '@polar-sh/better-auth/client'
export { createAuthClient } from 'better-auth/client'
export * from 'better-auth/client/plugins'
