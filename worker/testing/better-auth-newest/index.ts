// The newest published client, beside the 1.2.9 that the protocol comes from. It is a package of its own because the
// plug-ins that have moved out of it look for `better-auth` by that name.

export { apiKeyClient } from '@better-auth/api-key/client'
export { passkeyClient } from '@better-auth/passkey/client'
export { createAuthClient } from 'better-auth/client'
export * from 'better-auth/client/plugins'
