import { asciiDomain } from '../../../kit/email-address.ts'

/** A host name with at least two labels of letters, digits and hyphens (RFC 1123, section 2.1). */
const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** A domain in its stored form: lower case, ASCII (RFC 5891). Null for anything else, such as an address. */
export function readDomain(text: string): string | null {
  const domain = asciiDomain(text.trim().replace(/\.$/, ''))
  return domain !== null && hostName.test(domain) ? domain : null
}

/** The domain of an email address; null without one. */
export const domainOfAddress = (email: string): string | null => readDomain(email.slice(email.lastIndexOf('@') + 1))
