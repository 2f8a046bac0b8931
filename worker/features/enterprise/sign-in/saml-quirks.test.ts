import { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import { company } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import { newSamlKey, samlResponse, signSaml } from '../../../testing/outside/saml-idp.ts'
import { rowOf } from '../../../testing/rows.ts'

/** What the assertions of identity providers look like, as users of other products have reported it. */

afterEach(() => vi.restoreAllMocks())

interface Quirk {
  product: string
  deviation: string
  source: string
  /** The attributes of the assertion, in XML. */
  attributes?: string
  /** Changes the unsigned response. */
  alter?: (xml: string) => string
  /** The element that is signed. @default 'Assertion' */
  signed?: 'Response'
  mapping?: object
  /** What follows: the role and the team of `admins` and `staff`, and the name of the user; or the error. */
  expected: { role?: string; team?: boolean; name?: string; error?: string }
}

const attribute = (name: string, values: readonly string[], more = '') =>
  `<saml:Attribute Name="${name}"${more}>${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`
const single = (name: string, values: readonly string[], more = '') =>
  values.map((value) => attribute(name, [value], more)).join('')
const basic = ' NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"'
const uri = ' NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"'
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const both = { role: 'admin', team: true }
const oid = { mail: 'urn:oid:0.9.2342.19200300.100.1.3', member: 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1' }

const quirks: Quirk[] = [
  {
    product: 'Keycloak',
    deviation: 'one Attribute element for each group',
    source: 'github.com/nextcloud/user_saml/issues/222',
    attributes: single('groups', ['admins', 'staff'], basic),
    expected: both,
  },
  {
    product: 'Keycloak',
    deviation: 'the elements differ in FriendlyName and NameFormat',
    source: 'github.com/greenpau/caddy-security/issues/423',
    attributes: attribute('groups', ['admins'], `${basic} FriendlyName="Groups"`) + attribute('groups', ['staff'], uri),
    expected: both,
  },
  {
    product: 'Keycloak',
    deviation: 'two AttributeStatement elements',
    source: 'github.com/keycloak/keycloak/pull/3043',
    attributes: `${attribute('groups', ['admins'])}</saml:AttributeStatement><saml:AttributeStatement>${attribute('groups', ['staff'])}`,
    expected: both,
  },
  {
    product: 'Okta',
    deviation: 'one element with several typed values',
    source: 'github.com/steffow/meteor-accounts-saml/issues/26',
    attributes: attribute('groups', ['admins', 'staff']).replaceAll(
      '<saml:AttributeValue>',
      `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" ${xsi} xsi:type="xs:string">`,
    ),
    expected: both,
  },
  {
    product: 'Okta',
    deviation: 'firstName and lastName, and no name',
    source: 'developer.okta.com/docs/guides/saml-application-setup',
    attributes: single('firstName', ['Ada']) + single('lastName', ['King']),
    expected: { name: 'Ada King' },
  },
  {
    product: 'Entra ID',
    deviation: 'claims with URLs as names; name is the user principal name',
    source: 'learn.microsoft.com/entra/identity-platform/saml-claims-customization',
    attributes:
      single('http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', ['admins', 'staff']) +
      single(`${claims}/name`, ['ada@tenant.onmicrosoft.com']) +
      single(`${claims}/givenname`, ['Ada']) +
      single(`${claims}/surname`, ['King']) +
      single('http://schemas.microsoft.com/identity/claims/displayname', ['Ada K.']),
    expected: { ...both, name: 'Ada K.' },
  },
  {
    product: 'Entra ID',
    deviation: 'a link in place of more than 150 groups: role and teams remain',
    source: 'github.com/keycloak/keycloak/issues/26192',
    attributes: single('http://schemas.microsoft.com/claims/groups.link', ['https://graph.windows.net/t/users/u']),
    expected: { role: 'member' },
  },
  {
    product: 'ADFS',
    deviation: 'groups as http://schemas.xmlsoap.org/claims/Group',
    source: 'github.com/munkireport/munkireport-php/issues/1313',
    attributes: attribute('http://schemas.xmlsoap.org/claims/Group', ['admins', 'staff'], ' FriendlyName="memberOf"'),
    expected: both,
  },
  {
    product: 'Shibboleth',
    deviation: 'object identifiers as names',
    source: 'github.com/munkireport/munkireport-php/issues/1313',
    attributes:
      attribute(oid.member, ['admins', 'staff'], `${uri} FriendlyName="isMemberOf"`) +
      attribute('urn:oid:2.16.840.1.113730.3.1.241', ['Ada K.'], `${uri} FriendlyName="displayName"`),
    expected: { ...both, name: 'Ada K.' },
  },
  {
    product: 'Shibboleth',
    deviation: 'the administrator maps the friendly name',
    source: 'github.com/keycloak/keycloak/issues/25369',
    attributes: attribute(oid.member, ['admins', 'staff'], `${uri} FriendlyName="isMemberOf"`),
    mapping: { groups: 'isMemberOf' },
    expected: both,
  },
  {
    product: 'any',
    deviation: 'a friendly name does not replace an attribute with this name',
    source: 'SAML Core, section 2.7.3.1',
    attributes: attribute(oid.member, ['admins'], ' FriendlyName="groups"') + attribute('groups', ['staff']),
    expected: { role: 'member', team: true },
  },
  {
    product: 'OneLogin',
    deviation: 'User.FirstName and User.LastName, and its own identifier',
    source: 'github.com/Hacker0x01/docs.hackerone.com/pull/233',
    attributes:
      single('User.FirstName', ['Ada'], basic) +
      single('User.LastName', ['King'], basic) +
      single('PersonImmutableID', ['12345'], basic),
    expected: { role: 'member', name: 'Ada King' },
  },
  {
    product: 'OneLogin',
    deviation: 'roles as typed values of an attribute that the administrator maps',
    source: 'developers.onelogin.com/saml/examples/response',
    attributes: attribute('eduPersonAffiliation', ['users', 'admins', 'staff'], basic).replaceAll(
      '<saml:AttributeValue>',
      `<saml:AttributeValue ${xsi} xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type="xs:string">`,
    ),
    mapping: { groups: 'eduPersonAffiliation' },
    expected: both,
  },
  {
    product: 'JumpCloud',
    deviation: 'the address as a persistent NameID, and firstname and lastname in lower case',
    source: 'github.com/sourcegraph/sourcegraph-public-snapshot/issues/2143',
    attributes:
      single('firstname', ['Ada']) + single('lastname', ['King']) + attribute('memberOf', ['admins', 'staff']),
    alter: (xml) => xml.replace('1.1:nameid-format:emailAddress', '2.0:nameid-format:persistent'),
    expected: { ...both, name: 'Ada King' },
  },
  {
    product: 'JumpCloud',
    deviation: 'the response is signed, and the assertion is not, unless "Sign Assertion" is on',
    source: 'docs.bugsee.com/sso/jumpcloud',
    attributes: attribute('groups', ['admins', 'staff'], basic),
    signed: 'Response',
    expected: both,
  },
  {
    product: 'PingFederate',
    deviation: 'ids without an underscore, and other prefixes of the namespaces',
    source: 'github.com/cloudfoundry/uaa/issues/353',
    attributes: attribute('groups', ['admins', 'staff'], basic),
    alter: (xml) =>
      xml
        .replace(/ID="_response/, 'ID="WOi1MT1hA9gdKQafLc16')
        .replace(/ID="_assertion/, 'ID="NKiGEMQFIyjHzqat5C38')
        .replaceAll('saml:', 'saml2:')
        .replaceAll('xmlns:saml=', 'xmlns:saml2='),
    expected: both,
  },
  {
    product: 'PingOne',
    deviation: 'distinguished names, one value for each group',
    source: 'docs.pingidentity.com: memberOf of a directory',
    attributes: attribute('memberOf', ['CN=admins,OU=Groups,DC=x', 'CN=staff,OU=Groups,DC=x'], basic),
    mapping: { roles: [{ group: 'CN=admins,OU=Groups,DC=x', role: 'admin' }], team: 'CN=staff,OU=Groups,DC=x' },
    expected: both,
  },
  {
    product: 'OneLogin',
    deviation: 'the distinguished names of memberOf in one text',
    source: 'without a public report: the default of its parameter memberOf',
    attributes: attribute('memberOf', ['CN=admins,OU=Groups,DC=x;CN=staff,OU=Groups,DC=x']),
    mapping: {
      roles: [{ group: 'CN=admins,OU=Groups,DC=x', role: 'admin' }],
      team: 'CN=staff,OU=Groups,DC=x',
    },
    expected: both,
  },
  {
    product: 'any',
    deviation: 'the name of a group contains a semicolon and is not a list',
    source: 'users of Entra ID and Google name groups themselves',
    attributes: attribute('groups', ['x;admins', 'staff,admins']),
    expected: { role: 'member' },
  },
  {
    product: 'any',
    deviation: 'groups differ in case: another group',
    source: 'github.com/hashicorp/terraform-website/pull/1071',
    attributes: attribute('groups', ['Admins']),
    expected: { role: 'member' },
  },
  {
    product: 'OneLogin',
    deviation: 'an empty value for a missing address: the NameID has it',
    source: 'github.com/Clever/saml2/issues/38',
    attributes: `${attribute('email', [''])}${attribute('groups', ['', 'admins'])}`,
    expected: { role: 'admin' },
  },
  {
    product: 'FusionAuth, simpleSAMLphp',
    deviation: 'xsi:nil for a missing value',
    source: 'github.com/FusionAuth/fusionauth-issues/issues/3190',
    attributes: `<saml:Attribute Name="email"><saml:AttributeValue ${xsi} xsi:nil="true"/></saml:Attribute>`,
    expected: { role: 'member' },
  },
  {
    product: 'Google Workspace',
    deviation: 'an attribute without any value',
    source: 'github.com/node-saml/node-saml/issues/227',
    attributes: '<saml:Attribute Name="email"/><saml:Attribute Name="groups"/>',
    expected: { role: 'member' },
  },
  {
    product: 'JumpCloud, Google Workspace',
    deviation: 'other case of the usual names',
    source: 'support.google.com/a/answer/6087519: names are free texts',
    attributes: single('Groups', ['admins', 'staff']) + single('DisplayName', ['Ada K.']),
    expected: { ...both, name: 'Ada K.' },
  },
  {
    product: 'Okta, Ping',
    deviation: 'a NameID of an unspecified format that is an address',
    source: 'developer.okta.com/docs/concepts/saml',
    alter: (xml) => xml.replace('nameid-format:emailAddress', 'nameid-format:unspecified'),
    expected: { role: 'member' },
  },
  {
    product: 'Keycloak, Ping',
    deviation: 'a NameID without a format',
    source: 'SAML Core, section 2.2.2',
    alter: (xml) => xml.replace(/<saml:NameID Format="[^"]+">/, '<saml:NameID>'),
    expected: { role: 'member' },
  },
  {
    product: 'Shibboleth',
    deviation: 'a transient NameID',
    source: 'SAML Core, section 8.3.8',
    alter: (xml) => xml.replace('1.1:nameid-format:emailAddress', '2.0:nameid-format:transient'),
    expected: { error: 'saml_no_subject' },
  },
  {
    product: 'Shibboleth',
    deviation: 'two confirmations of the subject, of which one is ours',
    source: 'SAML Core, section 2.4.1.1',
    alter: (xml) =>
      xml.replace(
        '<saml:SubjectConfirmation ',
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:sender-vouches"/><saml:SubjectConfirmation ',
      ),
    expected: { role: 'member' },
  },
  {
    product: 'any',
    deviation: 'a declaration of XML, line breaks and comments between the elements',
    source: 'XML 1.0',
    alter: (xml) => `<?xml version="1.0" encoding="UTF-8"?>\n${xml.replaceAll('><', '>\n  <!-- x --><')}`,
    attributes: attribute('groups', ['\n admins \n', ' staff ']),
    expected: both,
  },
  {
    product: 'Entra ID',
    deviation: 'a response without Destination whose assertion is signed',
    source: 'SAML Bindings, section 3.5.5.2',
    alter: (xml) => xml.replace(/ Destination="[^"]+"/, ''),
    expected: { role: 'member' },
  },
]

const issuer = 'https://idp.example.org/saml'
const key = newSamlKey()

function requestIn(url: string) {
  const query = new URL(url).searchParams
  const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest')!, 'base64')).toString()
  return { relayState: query.get('RelayState')!, id: / ID="([^"]+)"/.exec(xml)![1]! }
}

describe('assertions with the deviations of identity providers', () => {
  it('lead to the user and the groups that they mean', async () => {
    const dns = new OrganizationIdp().install()
    const app = new TestApp({
      ...{ rateLimit: { enabled: false }, enterprise: { enabled: true } },
      organization: { teams: { enabled: true } },
    })
    const acme = await company(app, 'acme')
    await dns.verify(acme, 'example.com')
    const { device: owner } = acme.owner
    const team = (await owner.post('/organization/create-team', { name: 'Staff' })).body.id
    const config = {
      type: 'saml',
      entityId: issuer,
      ssoUrl: 'https://idp.example.org/sso',
      certificates: [key.certificate],
    }
    const id = (await owner.post('/sso/create-connection', { name: 'IdP', config })).body.id

    const answer = async (url: string, device: Device, subject: string, quirk: Partial<Quirk>) => {
      const request = requestIn(url)
      const { attributes = '', alter = (xml: string) => xml, signed = 'Assertion' } = quirk
      const place = `${origin}/api/auth/sso/saml2`
      const plain = samlResponse({
        ...{ issuer, audience: `${place}/metadata/${id}`, recipient: `${place}/acs/${id}` },
        ...{ inResponseTo: request.id, subject, attributes: { x: ['x'] } },
      }).replace(/<saml:Attribute Name="x">.*?<\/saml:Attribute>/, attributes || '$&')
      const form = {
        SAMLResponse: Buffer.from(signSaml(alter(plain), key, { part: signed })).toString('base64'),
        RelayState: request.relayState,
      }
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://idp.example.org',
        cookie: '',
      }
      const posted = await device.post(`/sso/saml2/acs/${id}`, new URLSearchParams(form).toString(), { headers })
      const ended = await device.get(posted.headers.get('location')!.replace(origin, ''))
      return ended.headers.get('location')!.replace(origin, '')
    }
    const test = await owner.post('/sso/test-connection', { connectionId: id, callbackURL: '/settings' })
    expect(await answer(test.body.url, owner, 'owner@example.com', {})).toBe('/settings')
    const activated = await owner.post('/sso/update-connection', { connectionId: id, state: 'active' })
    expect(activated.status).toBe(200)

    for (const [at, quirk] of quirks.entries()) {
      const { product, deviation, mapping = {}, expected } = quirk
      const { team: group = 'staff', ...names } = mapping as { team?: string }
      const rules = { roles: [{ group: 'admins', role: 'admin' }], teams: [{ group, teamId: team }], ...names }
      await owner.post('/sso/update-connection', { connectionId: id, mapping: rules })
      const device = app.device()
      const email = `user${at}@example.com`
      const { body } = await device.post('/sign-in/sso', {
        providerId: id,
        callbackURL: '/dash',
        errorCallbackURL: '/err',
      })
      const to = await answer(body.url, device, email, quirk)
      const user = await rowOf('users', { email })
      const member = user && (await rowOf('members', { userId: user.id }))
      const found = {
        ...(expected.error === undefined ? {} : { error: new URL(to, origin).searchParams.get('error') }),
        ...(expected.role === undefined ? {} : { role: member?.role }),
        ...(expected.team === undefined ? {} : { team: member?.teamId === team }),
        ...(expected.name === undefined ? {} : { name: user?.name }),
      }
      expect({ product, deviation, to: expected.error ? null : to, ...found }).toEqual({
        ...{ product, deviation, to: expected.error ? null : '/dash' },
        ...expected,
      })
    }
  })
})
