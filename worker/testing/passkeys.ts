import { Buffer } from 'node:buffer'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Device } from './harness.ts'

/**
 * A software authenticator and its browser, limited to the parts that a relying party sees (WebAuthn, sections 5, 6).
 * The additional inputs of a test are those of an attacker.
 */

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor> | Cbor[]

/** The subset of CBOR for an attestation object and a COSE key (RFC 8949, section 3.1). */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
  }
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([head(2, value.length), value])
}

function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n])
  if (n < 0x100) return Buffer.from([(major << 5) | 24, n])
  return Buffer.from([(major << 5) | 25, n >> 8, n & 0xff])
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

/** An attestation statement over the authenticator's data and the hash of the client's (WebAuthn, section 6.5). */
export type Statement = (
  signed: Buffer,
  ownKey: KeyObject,
) => { format: string; fields: [string, number | Uint8Array | Uint8Array[]][] }

export interface Forgery {
  /** The page's origin. */
  origin?: string
  rpId?: string
  challenge?: string
  /** The COSE algorithm in the key. */
  algorithm?: number
  counter?: number
  /** `webauthn.create` or `webauthn.get` in the client data. */
  type?: string
  userPresent?: boolean
  userVerified?: boolean
  /** Another key signs. */
  signer?: KeyObject
  credentialId?: string
  userHandle?: string
  /** The format of an attestation statement that nothing has signed. */
  attestation?: string
  /** A statement that a maker has signed. */
  statement?: Statement | undefined
}

interface AuthenticatorOptions {
  /** The origin of the page that uses it. */
  origin?: string
  aaguid?: string
  /** Whether keys count their uses; keys of password managers do not. */
  counts?: boolean
  /** Whether keys are synced between devices. */
  synced?: boolean
  userVerified?: boolean
  transports?: string[]
}

const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 }

/** One key pair. */
export class SoftwareAuthenticator {
  readonly credentialId: string
  counter = 0
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #options: Required<AuthenticatorOptions>

  constructor(options: AuthenticatorOptions = {}) {
    this.credentialId = base64url(randomBytes(32))
    this.#options = {
      origin: 'http://localhost:8787',
      aaguid: '00000000-0000-0000-0000-000000000000',
      counts: true,
      synced: false,
      userVerified: true,
      transports: ['internal'],
      ...options,
    }
  }

  /** The result of `navigator.credentials.create()`, in JSON. */
  register(options: PublicKeyCredentialCreationOptionsJSON, forged: Forgery = {}): RegistrationResponseJSON {
    const { aaguid, transports } = this.#options
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const publicKey = cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, forged.algorithm ?? -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const id = Buffer.from(this.credentialId, 'base64url')
    const authData = Buffer.concat([
      this.#authenticatorData(forged.rpId ?? options.rp.id ?? '', flag.attested, forged),
      Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
      Buffer.from([id.length >> 8, id.length & 0xff]),
      id,
      publicKey,
    ])
    const clientData = this.#clientData('webauthn.create', options.challenge, forged)
    const statement = forged.statement?.(Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey)
    const attestationObject = cbor(
      new Map<Cbor, Cbor>([
        ['fmt', statement?.format ?? forged.attestation ?? 'none'],
        [
          'attStmt',
          new Map<Cbor, Cbor>(
            statement?.fields ?? (forged.attestation ? [['x5c', Buffer.from('no certificate')]] : []),
          ),
        ],
        ['authData', authData],
      ]),
    )
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        attestationObject: base64url(attestationObject),
        clientDataJSON: base64url(clientData),
        transports: transports as NonNullable<RegistrationResponseJSON['response']['transports']>,
      },
    }
  }

  /** The result of `navigator.credentials.get()`, in JSON. */
  assert(options: PublicKeyCredentialRequestOptionsJSON, forged: Forgery = {}): AuthenticationResponseJSON {
    if (this.#options.counts) this.counter++
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, forged)
    const authenticatorData = this.#authenticatorData(forged.rpId ?? options.rpId ?? '', 0, forged)
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
    const id = forged.credentialId ?? this.credentialId
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        authenticatorData: base64url(authenticatorData),
        clientDataJSON: base64url(clientDataJSON),
        signature: base64url(sign('sha256', signed, forged.signer ?? this.#keys.privateKey)),
        ...(forged.userHandle === undefined ? {} : { userHandle: forged.userHandle }),
      },
    }
  }

  #clientData(type: string, challenge: string, forged: Forgery): string {
    return JSON.stringify({
      type: forged.type ?? type,
      challenge: forged.challenge ?? challenge,
      origin: forged.origin ?? this.#options.origin,
      crossOrigin: false,
    })
  }

  #authenticatorData(rpId: string, more: number, forged: Forgery): Buffer {
    const { synced, userVerified } = this.#options
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(forged.counter ?? this.counter)
    const flags =
      ((forged.userPresent ?? true) ? flag.userPresent : 0) |
      ((forged.userVerified ?? userVerified) ? flag.userVerified : 0) |
      (synced ? flag.backupEligible | flag.backedUp : 0) |
      more
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
  }
}

/** Adds a passkey to the signed-in account of a device. */
export async function addPasskey(
  device: Device,
  authenticator = new SoftwareAuthenticator(),
  name?: string,
): Promise<SoftwareAuthenticator> {
  const { body: options } = await device.get('/passkey/generate-register-options')
  const response = authenticator.register(options)
  const answer = await device.post('/passkey/verify-registration', { response, name })
  if (answer.status !== 200) throw new Error(`registration answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return authenticator
}

/** The assertion for a new challenge of a device. */
export async function assertOn(device: Device, authenticator: SoftwareAuthenticator, forged: Forgery = {}) {
  const { body: options } = await device.post('/passkey/generate-authenticate-options')
  return authenticator.assert(options, forged)
}

export const signInWithPasskey = async (device: Device, authenticator: SoftwareAuthenticator, forged: Forgery = {}) =>
  device.post('/passkey/verify-authentication', { response: await assertOn(device, authenticator, forged) })
