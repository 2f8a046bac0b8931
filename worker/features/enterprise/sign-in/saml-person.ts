import { emailInput } from '../../../identity/users/users.contract.ts'
import { plainName } from '../../../kit/inputs.ts'
import type { Connection } from '../model/connections.table.ts'
import type { Assertion, SamlAttribute } from '../saml/verify-response.ts'
import type { AssertedPerson } from './provision.ts'
import { judgeClaims } from './required-claims.ts'

/** The usual names of attributes: plain ones, those of Microsoft, and object identifiers (RFC 4519, RFC 2798, eduMember). */
const usual = {
  email: [
    'email',
    'mail',
    'emailAddress',
    'user.email',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
  ],
  name: [
    'name',
    'displayName',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'urn:oid:2.16.840.1.113730.3.1.241',
  ],
  givenName: [
    'givenName',
    'firstName',
    'user.firstName',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
    'urn:oid:2.5.4.42',
  ],
  familyName: [
    'surname',
    'sn',
    'lastName',
    'user.lastName',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
    'urn:oid:2.5.4.4',
  ],
  groups: [
    'groups',
    'group',
    'memberOf',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    'http://schemas.xmlsoap.org/claims/Group',
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
  ],
} as const

/**
 * The values of an attribute; null without one. Its `Name` is meant, or its `FriendlyName` where no attribute has that name: identity
 * providers with object identifiers as names show the friendly ones to their administrators.
 */
function valuesAt(attributes: readonly SamlAttribute[], name: string): string[] | null {
  const named = attributes.filter((one) => one.name === name)
  const found = named.length > 0 ? named : attributes.filter(({ friendlyName }) => friendlyName === name)
  return found.length > 0 ? found.flatMap(({ values }) => values) : null
}

/** The same for the first of several usual names, without regard to case, that has a value, or else that exists. */
function usualValues(attributes: readonly SamlAttribute[], names: readonly string[]): string[] | null {
  const lower = attributes.map((one) => ({
    ...one,
    name: one.name.toLowerCase(),
    friendlyName: one.friendlyName?.toLowerCase() ?? null,
  }))
  const found = names.map((name) => valuesAt(lower, name.toLowerCase())).filter((values) => values !== null)
  return found.find((values) => values.length > 0) ?? found[0] ?? null
}

/** OneLogin joins the distinguished names of `memberOf` to one text. */
const isJoined = /^cn=[^;]*;cn=/i

const separated = (value: string): string[] => (isJoined.test(value) ? value.split(/;(?=cn=)/i) : [value])

/** The user whom an assertion describes. The address is an attribute, or a NameID with the form of an address. */
export function samlPerson(connection: Connection, { subject, attributes, upstream }: Assertion): AssertedPerson {
  const { mapping } = connection
  const valuesOf = (field: 'email' | 'name' | 'groups'): string[] | null => {
    const own = mapping[field]
    return own === null ? usualValues(attributes, usual[field]) : valuesAt(attributes, own)
  }
  const given = valuesOf('email')?.[0] ?? subject
  const email = emailInput.safeParse(given)
  const parts = [usual.givenName, usual.familyName].map((names) => usualValues(attributes, names)?.[0] ?? '')
  return {
    subject,
    email: email.success ? email.data : null,
    name: plainName(valuesOf('name')?.[0] ?? parts.filter(Boolean).join(' ')).slice(0, 256),
    groups: valuesOf('groups')?.flatMap(separated) ?? null,
    acceptance: judgeClaims(connection, (name) => valuesAt(attributes, name) ?? []),
    upstream,
  }
}
