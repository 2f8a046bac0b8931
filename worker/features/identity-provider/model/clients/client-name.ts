export const reservedName = 'client_name must not begin with the name of this service'

/** The words of a name: letters and digits, in lower case, without marks and invisible characters. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/**
 * Whether the name of a client is the product's, or begins with it: "Gatehouse", "GATE HOUSE", "Gatehouse Security".
 * "Calendar for Gatehouse" is not. Look-alike letters of other scripts are not compared.
 */
export function bearsName(name: string, appName: string): boolean {
  const [given, own] = [wordsOf(name), wordsOf(appName)]
  if (own.length === 0) return false
  return given.join('') === own.join('') || own.every((word, at) => given[at] === word)
}
