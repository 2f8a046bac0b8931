/** The origin in the sources of the registry (client/registry), which the Worker replaces by its own. */
export const registryOrigin = 'https://accounts.example.com'
