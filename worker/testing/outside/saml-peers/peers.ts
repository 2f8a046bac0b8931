import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { authnRequest, logoutRequest, metadataOf } from '../../../features/enterprise/saml/messages.ts'
import { newOwnKey } from '../../../features/enterprise/saml/own-keys.ts'
import { readMetadata } from '../../../features/enterprise/saml/read-metadata.ts'
import { redirectUrl } from '../../../features/enterprise/saml/redirect-binding.ts'
import { verifyLogoutRequest } from '../../../features/enterprise/saml/verify-logout.ts'
import { verifyResponse } from '../../../features/enterprise/saml/verify-response.ts'
import { idpMetadata, newSamlKey } from '../saml-idp.ts'

/**
 * Signs in and out at identity providers of pysaml2, lasso and SimpleSAMLphp: they verify our signed requests, and we verify and decrypt
 * their responses. README.md has the packages.
 */

const idpEntityId = 'https://idp.example.org/saml'
const spEntityId = 'https://accounts.example.com/api/auth/sso/saml2/metadata/c1'
const recipient = 'https://accounts.example.com/api/auth/sso/saml2/acs/c1'
const logoutUrl = 'https://accounts.example.com/api/auth/sso/saml2/logout/c1'
const now = new Date()
const key = newSamlKey()
const own = await newOwnKey(now)
const metadata = idpMetadata(idpEntityId, [key.certificate])
const { ssoUrl, sloUrl } = await readMetadata(metadata, now)
const spMetadata = metadataOf({
  entityId: spEntityId,
  recipient,
  logoutUrl,
  signsRequests: true,
  certificates: [own.certificate],
})
const common = { issuedAt: now, issuer: spEntityId }
const request = authnRequest({ ...common, id: '_request', destination: ssoUrl, recipient })
const upstream = {
  subject: 'ada@example.com',
  format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  nameQualifier: null,
  spNameQualifier: null,
  sessionIndex: 's1',
}
const logout = logoutRequest({ ...common, id: '_logout', destination: sloUrl!, upstream })
const given = {
  idpEntityId,
  spEntityId,
  recipient,
  logoutUrl,
  spMetadata,
  idpMetadata: metadata,
  key: key.privateKey,
  certificate: key.certificate,
  request: await redirectUrl(ssoUrl, 'SAMLRequest', request, 'state', own.privateKey),
  logout: await redirectUrl(sloUrl!, 'SAMLRequest', logout, 'state', own.privateKey),
  now: new Date(now.getTime() - 1000).toISOString(),
  later: new Date(now.getTime() + 300_000).toISOString(),
}
const decoded = (text: string) => Buffer.from(text, 'base64').toString()
const expected = { certificates: [key.certificate], issuer: idpEntityId, now: new Date() }
let failures = 0

async function step(name: string, run: () => Promise<string> | string): Promise<void> {
  try {
    process.stdout.write(`ok   ${name}: ${await run()}\n`)
  } catch (thrown) {
    failures++
    process.stdout.write(`FAIL ${name}: ${thrown instanceof Error ? thrown.message.slice(0, 2000) : thrown}\n`)
  }
}

/** pysaml2 encrypts with Triple DES and RSA PKCS #1 v1.5, which we refuse. */
const peers = [
  { peer: 'pysaml2', command: ['/usr/bin/python3', 'pysaml2-idp.py'], refusesEncryption: true },
  { peer: 'lasso', command: ['/usr/bin/python3', 'lasso-idp.py'], refusesEncryption: false },
  { peer: 'SimpleSAMLphp', command: ['/usr/bin/php', 'simplesamlphp-idp.php'], refusesEncryption: false },
] as const

for (const { peer, command, refusesEncryption } of peers) {
  for (const encrypts of [false, true]) {
    const name = `${peer}${encrypts ? ', encrypted' : ''}`
    await step(name, async () => {
      const [program, file] = command
      const input = JSON.stringify({ ...given, encrypts })
      const output = execFileSync(program, [join(import.meta.dirname, file)], { input })
      const answer = JSON.parse(output.toString()) as {
        response: string
        logoutSubject: string
        logoutRequest?: string
      }
      const document = decoded(answer.response)
      if (document.includes('EncryptedAssertion') !== encrypts) throw new Error('the encryption differs')
      const reading = verifyResponse(document, {
        ...expected,
        audience: spEntityId,
        recipient,
        privateKeys: [own.privateKey],
      })
      if (refusesEncryption && encrypts) {
        return reading.then(
          () => Promise.reject(new Error('it must be refused')),
          (thrown) => `refused as expected: ${thrown.message}`,
        )
      }
      const found = await reading
      if (found.inResponseTo !== '_request') throw new Error(`InResponseTo is ${found.inResponseTo}`)
      const ended = answer.logoutRequest
        ? await verifyLogoutRequest(
            { document: decoded(answer.logoutRequest) },
            { ...expected, destination: logoutUrl },
          )
        : null
      return `${found.subject}, our logout of ${answer.logoutSubject}, its logout of ${ended?.subject ?? '(none)'}`
    })
  }
}
process.exitCode = failures === 0 ? 0 : 1
