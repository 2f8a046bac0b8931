/** Addresses that were made up for guests, for people who came by their phone number, and by an import: nobody reads them. */
export const isPlaceholder = (email: string): boolean =>
  /^temp-[0-9a-z]{32}@|^\d+-[0-9a-z]{12}@phone\.|^imported-[0-9a-f]{32}@imported\.invalid$/.test(email)
