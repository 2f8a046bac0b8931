// The published billing plug-in for the 1.2.9 client. It is a separate package, because the plug-in requires an older
// SDK of the provider than the Worker.

export { polarClient } from '@polar-sh/better-auth'
export { createAuthClient } from 'better-auth/client'
