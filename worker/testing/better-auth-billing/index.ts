// The published billing plug-in that goes with the 1.2.9 client. It is a package of its own because the plug-in looks
// for an older SDK of the provider than the one that the Worker uses.

export { polarClient } from '@polar-sh/better-auth'
export { createAuthClient } from 'better-auth/client'
