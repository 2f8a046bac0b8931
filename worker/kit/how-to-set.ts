/** How a variable or a secret gets its value: part of the errors that name a missing one. */
export const howToSet = (name: string): string =>
  `set it with \`npx wrangler secret put ${name}\`, on a development machine in .dev.vars`
