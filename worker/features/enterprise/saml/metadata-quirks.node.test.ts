import { describe, expect, it } from 'vitest'
import { newSamlKey } from '../../../testing/outside/saml-idp.ts'
import { base64Of } from './certificates.ts'
import { type IdpMetadata, MetadataError, readMetadata } from './read-metadata.ts'

/** What the metadata of identity providers looks like, as their documentation shows it and users of other products have reported it. */

interface Quirk {
  product: string
  deviation: string
  source: string
  xml: string
  /** What is read; or the reason for the owner of the connection. */
  expected: Partial<IdpMetadata> | RegExp
}

const [one, two] = [base64Of(newSamlKey('one').certificate), base64Of(newSamlKey('two').certificate)]
const saml = 'urn:oasis:names:tc:SAML:2.0'
const sso = 'https://idp.example.org/sso'
const slo = 'https://idp.example.org/slo'
const lines = (text: string) => `\n${text.replace(/.{64}/g, '$&\n')}\n`

const service = (name: string, binding: string, place: string, prefix = 'md:', more = '') =>
  `<${prefix}${name} Binding="${binding}" Location="${place}"${more}/>`
const at = (binding: string, place = sso, prefix = 'md:') =>
  service('SingleSignOnService', `${saml}:bindings:${binding}`, place, prefix)
const key = (certificates: string, use = ' use="signing"', more = '') =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${more}<ds:X509Data>${certificates}</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
const certificate = (text: string) => `<ds:X509Certificate>${text}</ds:X509Certificate>`
const role = (content: string, more = '') =>
  `<md:IDPSSODescriptor protocolSupportEnumeration="${saml}:protocol"${more}>${content}</md:IDPSSODescriptor>`
const entity = (content: string, id = 'https://idp.example.org', more = '') =>
  `<md:EntityDescriptor xmlns:md="${saml}:metadata" entityID="${id}"${more}>${content}</md:EntityDescriptor>`
const found = { entityId: 'https://idp.example.org', ssoUrl: sso, certificates: [one] }

/** WS-Federation roles, as Entra ID and ADFS publish them before the role of SAML. */
const federation = ['SecurityTokenServiceType', 'ApplicationServiceType']
  .map(
    (type) =>
      `<md:RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" xsi:type="fed:${type}" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706">${key(certificate(two))}<fed:TargetScopes><EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://idp.example.org/adfs</Address></EndpointReference></fed:TargetScopes></md:RoleDescriptor>`,
  )
  .join('')

const quirks: Quirk[] = [
  {
    product: 'Keycloak',
    deviation: 'a list with one entity, names of keys, and four bindings of which the redirect is not the first',
    source: 'github.com/tngan/samlify/issues/328, github.com/mcguinness/saml-sp/pull/9',
    xml: `<EntitiesDescriptor xmlns="${saml}:metadata" Name="urn:keycloak">${entity(
      role(
        key(certificate(one), ' use="signing"', '<ds:KeyName>tHxYz-1</ds:KeyName>') +
          service('SingleLogoutService', `${saml}:bindings:HTTP-POST`, 'https://idp.example.org/post') +
          service('SingleLogoutService', `${saml}:bindings:HTTP-Redirect`, slo) +
          ['HTTP-POST', 'HTTP-Redirect', 'SOAP', 'HTTP-Artifact'].map((binding) => at(binding)).join(''),
        ' WantAuthnRequestsSigned="true"',
      ),
    )}</EntitiesDescriptor>`,
    expected: { ...found, sloUrl: slo },
  },
  {
    product: 'Entra ID, ADFS',
    deviation: 'roles of WS-Federation and a service provider with other certificates',
    source: 'github.com/tngan/samlify/issues/117, github.com/tngan/samlify/issues/376',
    xml: entity(
      federation +
        `<md:SPSSODescriptor protocolSupportEnumeration="${saml}:protocol">${key(certificate(two))}</md:SPSSODescriptor>` +
        role(key(certificate(two), ' use="encryption"') + key(certificate(one)) + at('HTTP-Redirect')),
    ),
    expected: found,
  },
  {
    product: 'Entra ID',
    deviation: 'two certificates during a rollover',
    source: 'github.com/FusionAuth/fusionauth-issues/issues/1213',
    xml: entity(role(key(certificate(one)) + key(certificate(two)) + at('HTTP-Redirect'))),
    expected: { ...found, certificates: [one, two] },
  },
  {
    product: 'Okta',
    deviation: 'the post binding comes first, and no logout',
    source: 'github.com/FlowFuse/flowfuse/issues/5071',
    xml: entity(
      role(
        `${key(certificate(lines(one)))}<md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>` +
          at('HTTP-POST', 'https://idp.example.org/post') +
          at('HTTP-Redirect'),
        ' WantAuthnRequestsSigned="false"',
      ),
      'http://www.okta.com/exk1',
    ),
    expected: { ...found, entityId: 'http://www.okta.com/exk1', sloUrl: null },
  },
  {
    product: 'Google Workspace',
    deviation: 'an end of the validity, and a query in the entity id and in the addresses',
    source: 'support.google.com/a/answer/6087519',
    xml: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${entity(
      role(key(certificate(lines(one))) + at('HTTP-Redirect', `${sso}?idpid=C01&amp;x=1`)),
      'https://accounts.google.com/o/saml2?idpid=C01',
      ' validUntil="2099-07-01T10:00:00.000Z"',
    )}`,
    expected: {
      ...found,
      entityId: 'https://accounts.google.com/o/saml2?idpid=C01',
      ssoUrl: `${sso}?idpid=C01&x=1`,
    },
  },
  {
    product: 'OneLogin',
    deviation: 'the namespace is the default one, and certificates have line breaks',
    source: 'github.com/SAML-Toolkits/python3-saml: tests/data/metadata',
    xml: `<?xml version="1.0"?>\n<EntityDescriptor xmlns="${saml}:metadata" entityID="https://app.onelogin.com/saml/metadata/1">
  <IDPSSODescriptor xmlns:ds="http://www.w3.org/2000/09/xmldsig#" protocolSupportEnumeration="${saml}:protocol">
    <KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${lines(one)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    ${service('SingleLogoutService', `${saml}:bindings:HTTP-Redirect`, slo, '')}
    ${at('HTTP-Redirect', sso, '')}${at('HTTP-POST', sso, '')}${at('SOAP', sso, '')}
  </IDPSSODescriptor>
</EntityDescriptor>`,
    expected: { ...found, entityId: 'https://app.onelogin.com/saml/metadata/1', sloUrl: slo },
  },
  {
    product: 'Ping',
    deviation:
      'a duration, attributes, an organization and a contact; and a signature whose certificate signs nothing else',
    source: 'docs.pingidentity.com: exporting metadata',
    xml: entity(
      `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:KeyInfo><ds:X509Data>${certificate(two)}</ds:X509Data></ds:KeyInfo></ds:Signature>` +
        role(
          key(certificate(one)) +
            at('HTTP-POST') +
            at('HTTP-Redirect') +
            `<saml:Attribute xmlns:saml="${saml}:assertion" Name="memberOf" NameFormat="${saml}:attrname-format:basic"/>`,
        ) +
        '<md:Organization><md:OrganizationName xml:lang="en">Acme</md:OrganizationName></md:Organization>' +
        '<md:ContactPerson contactType="administrative"><md:Company>Acme</md:Company></md:ContactPerson>',
      'acme-idp',
      ' ID="WOi1MT1hA9gdKQafLc16TACtzKL" cacheDuration="PT1440M"',
    ),
    expected: { ...found, entityId: 'acme-idp' },
  },
  {
    product: 'JumpCloud',
    deviation: 'a word as entity id',
    source: 'docs.sourcegraph.com/admin/auth/saml/jump_cloud',
    xml: entity(role(key(certificate(one)) + at('HTTP-POST') + at('HTTP-Redirect')), 'JumpCloud'),
    expected: { ...found, entityId: 'JumpCloud' },
  },
  {
    product: 'JumpCloud',
    deviation: 'no redirect binding, until "Declare Redirect Endpoint" is on',
    source: 'ory.com/docs/polis/sso-providers/jumpcloud',
    xml: entity(role(key(certificate(one)) + at('HTTP-POST')), 'JumpCloud'),
    expected: /no single sign-on service with the HTTP redirect binding/,
  },
  {
    product: 'JumpCloud',
    deviation: 'the address shows a page for administrators in place of the metadata',
    source: 'github.com/BookStackApp/BookStack/issues/2838',
    xml: '<!DOCTYPE html><html><head><link rel="stylesheet"></head><body></body></html>',
    expected: /./,
  },
  {
    product: 'Shibboleth',
    deviation: 'a second role, a binding of its own in front of the others, and keys without a use',
    source: 'github.com/Sustainsys/Saml2/issues/923',
    xml: entity(
      role(
        `<md:Extensions><shibmd:Scope xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" regexp="false">example.org</shibmd:Scope></md:Extensions>` +
          key(certificate(one), '') +
          key(certificate(one), '') +
          key(certificate(two), ' use="encryption"') +
          service(
            'SingleSignOnService',
            'urn:mace:shibboleth:1.0:profiles:AuthnRequest',
            'https://idp.example.org/s1',
          ) +
          at('HTTP-Redirect'),
      ).replace('protocolSupportEnumeration="', 'protocolSupportEnumeration="urn:mace:shibboleth:1.0 ') +
        `<md:AttributeAuthorityDescriptor protocolSupportEnumeration="${saml}:protocol">${key(certificate(two))}</md:AttributeAuthorityDescriptor>`,
    ),
    expected: found,
  },
  {
    product: 'any',
    deviation: 'several certificates of one key',
    source: 'github.com/RocketChat/Rocket.Chat/pull/41481',
    xml: entity(role(key(certificate(one) + certificate(two)) + at('HTTP-Redirect'))),
    expected: { ...found, certificates: expect.arrayContaining([one, two]) },
  },
  {
    product: 'a federation',
    deviation: 'many entities',
    source: 'github.com/OpenLiberty/open-liberty/issues/15166',
    xml: `<md:EntitiesDescriptor xmlns:md="${saml}:metadata">${entity('', 'a')}${entity('', 'b')}</md:EntitiesDescriptor>`,
    expected: /one entity/,
  },
]

describe('metadata with the deviations of identity providers', () => {
  it.each(quirks.map((quirk) => [`${quirk.product}: ${quirk.deviation}`, quirk] as const))('%s', async (_, quirk) => {
    const { xml, expected } = quirk
    const reading = readMetadata(xml, new Date())
    if (expected instanceof RegExp) {
      await expect(reading).rejects.toThrow(MetadataError)
      await expect(reading).rejects.toThrow(expected)
    } else {
      expect(await reading).toMatchObject(expected)
    }
  })
})
