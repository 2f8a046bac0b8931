/** An address is ASCII: atoms and labels (RFC 5321, without quoted parts); the last label has letters alone, or is an A-label. */
export const addressPattern =
  /^[A-Za-z0-9_'+-]+(?:\.[A-Za-z0-9_'+-]+)*@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9][A-Za-z0-9-]*)*\.(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/

/** RFC 5321, section 4.5.3.1.3, without the brackets. */
export const maxAddress = 254

/** Control characters and invisible ones, such as those that change the direction of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Characters that end the host name of a URL or that a URL decodes. */
const notInDomain = /[\s/\\@:?#%[\]]/

/** A domain in lower case with A-labels (RFC 5891); null if it has none. */
export function asciiDomain(text: string): string | null {
  if (text.length > maxAddress || invisible.test(text) || notInDomain.test(text)) return null
  return URL.canParse(`https://${text}`) ? new URL(`https://${text}`).hostname : null
}

/**
 * An address as it is stored and compared, wherever one is read: without blanks around it, in lower case, with
 * full-width characters as plain ones (NFKC) and the domain as A-labels.
 * @returns null for a text that is not an address
 */
export function readAddress(text: string): string | null {
  if (text.length > maxAddress) return null
  const trimmed = text.trim()
  if (invisible.test(trimmed)) return null
  const plain = trimmed.normalize('NFKC')
  const at = plain.lastIndexOf('@')
  const domain = asciiDomain(plain.slice(at + 1))
  if (at < 1 || domain === null) return null
  const address = `${plain.slice(0, at)}@${domain}`.toLowerCase()
  return address.length <= maxAddress && addressPattern.test(address) ? address : null
}

/** The form in which an address is compared with stored ones; another text only without blanks and in lower case. */
export const comparedAddress = (text: string): string => readAddress(text) ?? text.trim().toLowerCase()
