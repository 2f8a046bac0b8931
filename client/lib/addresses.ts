/** "Ada Lovelace <ada@example.com>", as mail programs copy a recipient. */
const withName = /(?:"[^"\n]*"|[^,;<>"\n])*<([^<>\s]+)>/g

/** The addresses of a list that is separated by commas, semicolons, blanks or lines; each once. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .replace(withName, ' $1 ')
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((address) => address.toLowerCase()),
  ),
]

/** Splits text that is being typed: complete addresses, and the part after the last separator. */
export function typedAddresses(text: string): { complete: string[]; rest: string } {
  // A name in front of an address contains blanks.
  if (text.lastIndexOf('<') > text.lastIndexOf('>')) return { complete: [], rest: text }
  const end = Math.max(...[',', ';', '\n', '>'].map((sign) => text.lastIndexOf(sign)))
  const blank = text.search(/\s\S*$/)
  const cut = blank > end && text.slice(end + 1, blank).includes('@') ? blank : end
  return { complete: addressesIn(text.slice(0, cut + 1)), rest: text.slice(cut + 1).trimStart() }
}
