/** Now. All code that needs the time gets it from its scope, which gets it here. */
export const now = (): Date => new Date()
