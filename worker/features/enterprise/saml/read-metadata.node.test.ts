import { describe, expect, it } from 'vitest'
import { idpMetadata, newSamlKey } from '../../../testing/outside/saml-idp.ts'
import { base64Of } from './certificates.ts'
import { MetadataError, readMetadata } from './read-metadata.ts'

const [one, two] = [newSamlKey('one').certificate, newSamlKey('two').certificate]
const entityId = 'https://idp.example.org/saml'
const valid = idpMetadata(entityId, [one, two])

const outcome = (xml: string) =>
  readMetadata(xml, new Date()).then(
    (found) => found.entityId,
    (thrown) => (thrown instanceof MetadataError ? thrown.message : String(thrown)),
  )

describe('metadata', () => {
  it('has the entity id, the redirect services and the signing certificates', async () => {
    const expected = {
      entityId,
      ssoUrl: 'https://idp.example.org/sso',
      sloUrl: 'https://idp.example.org/slo',
      certificates: [base64Of(one), base64Of(two)],
    }
    expect(await readMetadata(valid, new Date())).toEqual(expected)
    // A key of encryption signs nothing; one without a use does both; a list of one entity is that entity.
    const encryption = valid.replace('use="signing"', 'use="encryption"')
    expect((await readMetadata(encryption, new Date())).certificates).toEqual([base64Of(two)])
    const both = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${valid.replace('use="signing"', '')}</md:EntitiesDescriptor>`
    expect(await readMetadata(both, new Date())).toEqual(expected)
  })

  it.each([
    ['a document type', `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${valid}`, /not allowed/],
    ['entities', `<!doctype r>${valid}`, /not allowed/],
    ['two entities', `<x>${valid}${valid}</x>`, /one entity/],
    ['an entity in an entity', idpMetadata(entityId, [one], valid), /one entity/],
    ['no entity', '<x/>', /one entity/],
    ['a service provider', valid.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'), /not a SAML 2.0 identity provider/],
    ['SAML 1.1', valid.replace('SAML:2.0:protocol"', 'SAML:1.1:protocol"'), /not a SAML 2.0 identity provider/],
    ['no redirect', valid.replace(/<md:SingleSignOnService[^>]*Redirect[^>]*>/, ''), /HTTP redirect/],
    ['no certificate', idpMetadata(entityId, []), /no signing certificate/],
    [
      'six certificates',
      idpMetadata(
        entityId,
        Array.from({ length: 6 }, (_, n) => `${one}${n}`),
      ),
      /too many signing/,
    ],
    ['an end in the past', valid.replace('entityID', 'validUntil="2020-01-01T00:00:00Z" entityID'), /expired/],
    ['an end that is not a time', valid.replace('entityID', 'validUntil="soon" entityID'), /expired/],
    ['no XML', 'nothing', /./],
    ['too many elements', `<x>${'<a/>'.repeat(7000)}</x>`, /too many/],
    ['too long a text', ' '.repeat(300_000), /too long/],
  ])('with %s is refused', async (_what, xml, message) => {
    expect(await outcome(xml)).toMatch(message)
  })
})
