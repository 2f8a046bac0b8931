import { Buffer } from 'node:buffer'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { der } from '../kit/der.ts'
import type { Statement } from './passkeys.ts'

/** A maker of authenticators: a root certificate, and attestation statements of its models (WebAuthn, section 8.2). */

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const octets = (...parts: Uint8Array[]) => der(0x04, ...parts)
const ecdsa = sequence(hex('06082a8648ce3d040302'))

/** Attributes of a name, by the last byte of their object identifier. */
const nameOf = (attributes: readonly (readonly [number, string])[]): Buffer =>
  sequence(
    ...attributes.map(([id, text]) =>
      der(0x31, sequence(Buffer.from([0x06, 3, 0x55, 4, id]), der(id === 6 ? 0x13 : 0x0c, Buffer.from(text)))),
    ),
  )

const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const extension = (id: string, critical: boolean, value: Uint8Array) =>
  sequence(der(0x06, hex(id)), ...(critical ? [hex('0101ff')] : []), octets(value))

const isAuthority = extension('551d13', true, sequence(hex('0101ff')))
const isNone = extension('551d13', true, sequence())
const model = (aaguid: string) => extension('2b0601040182e51c010104', false, octets(hex(aaguid.replaceAll('-', ''))))

const country = [6, 'US'] as const
const organization = [10, 'Example Keys'] as const

interface Issued {
  keys: { publicKey: KeyObject; privateKey: KeyObject }
  name: Buffer
  der: Buffer
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function certify(
  name: Buffer,
  extensions: Uint8Array[],
  issuer: Issued | null,
  years: readonly [number, number] = [2024, 2048],
): Issued {
  const keys = newKeys()
  const [from, until] = years.map((year) => utcTime(new Date(Date.UTC(year, 0, 1))))
  const body = sequence(
    hex('a003020102'),
    der(0x02, Buffer.from([0x40]), randomBytes(8)),
    ecdsa,
    issuer?.name ?? name,
    sequence(from!, until!),
    name,
    keys.publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, (issuer?.keys ?? keys).privateKey)
  return { keys, name, der: sequence(body, ecdsa, der(0x03, hex('00'), signature)) }
}

const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`

export class Maker {
  readonly #root: Issued
  readonly root: string

  constructor(name = 'Example root', years?: readonly [number, number]) {
    this.#root = certify(nameOf([country, organization, [3, name]]), [isAuthority], null, years)
    this.root = pemOf(this.#root.der)
  }

  /** Signs the statements of a model. @param through an authority between the root and the model */
  signerOf(aaguid: string, { through = false, years }: { through?: boolean; years?: readonly [number, number] } = {}) {
    const between = through
      ? certify(nameOf([country, organization, [3, 'Example authority']]), [isAuthority], this.#root)
      : null
    const name = nameOf([country, organization, [11, 'Authenticator Attestation'], [3, 'Example model']])
    const own = certify(name, [isNone, model(aaguid)], between ?? this.#root, years)
    const chain = [own.der, ...(between ? [between.der] : [])]
    return statementOf(own.keys.privateKey, chain)
  }
}

const statementOf =
  (privateKey: KeyObject, chain: Buffer[]): Statement =>
  (signed) => ({
    format: 'packed',
    fields: [
      ['alg', -7],
      ['sig', sign('sha256', signed, privateKey)],
      ['x5c', chain],
    ],
  })
