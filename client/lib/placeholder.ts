/** Whether an address is a placeholder: of a guest, of a sign-up by phone number, or of an import. */
export const isPlaceholder = (email: string): boolean =>
  /^temp-[0-9a-z]{32}@|^\d+-[0-9a-z]{12}@phone\.|^imported-[0-9a-f]{32}@imported\.invalid$/.test(email)
