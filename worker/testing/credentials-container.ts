import { Buffer } from 'node:buffer'
import type { SoftwareAuthenticator } from './passkeys.ts'

/**
 * `navigator.credentials` of a browser that has one authenticator, for clients that require it (WebAuthn, section 5.1).
 */
export function plugIntoNavigator(authenticator: SoftwareAuthenticator): void {
  const text = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
  const bytes = (encoded: string) => new Uint8Array(Buffer.from(encoded, 'base64url')).buffer
  const credential = (json: { id: string }, response: object) => ({
    id: json.id,
    rawId: bytes(json.id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response,
  })
  const credentials = {
    async create({ publicKey }: { publicKey: { challenge: ArrayBuffer; excludeCredentials?: { id: ArrayBuffer }[] } }) {
      if (publicKey.excludeCredentials?.some(({ id }) => text(id) === authenticator.credentialId)) {
        throw Object.assign(new Error('excluded'), { name: 'InvalidStateError' })
      }
      const made = authenticator.register({ ...publicKey, challenge: text(publicKey.challenge) } as never)
      return credential(made, {
        attestationObject: bytes(made.response.attestationObject),
        clientDataJSON: bytes(made.response.clientDataJSON),
        getTransports: () => made.response.transports,
      })
    },
    async get({ publicKey }: { publicKey: { challenge: ArrayBuffer } }) {
      const made = authenticator.assert({ ...publicKey, challenge: text(publicKey.challenge) } as never)
      const { authenticatorData, clientDataJSON, signature } = made.response
      return credential(made, {
        authenticatorData: bytes(authenticatorData),
        clientDataJSON: bytes(clientDataJSON),
        signature: bytes(signature),
        userHandle: null,
      })
    },
  }
  Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true })
  Object.assign(globalThis, { PublicKeyCredential: class {}, window: globalThis, location: { hostname: 'localhost' } })
}
