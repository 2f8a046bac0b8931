/** The variable or secret with a credential of a provider: `providerVariable('acme-id', 'CLIENT_ID')` is ACME_ID_CLIENT_ID. */
export const providerVariable = (id: string, credential: string): string =>
  `${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_${credential}`
