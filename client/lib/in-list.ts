/** Names in a row, such as roles, with the separators of the language: "Owner, Admin". */
export const inList = (items: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { style: 'narrow' }).format(items)
