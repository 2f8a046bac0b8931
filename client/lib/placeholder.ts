/** Addresses that the server made up for guests and for people who came by their phone number: nobody reads them. */
export const isPlaceholder = (email: string): boolean => /^temp-[0-9a-z]{32}@|^\d+-[0-9a-z]{12}@phone\./.test(email)
