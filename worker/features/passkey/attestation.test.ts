import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Maker } from '../../testing/attestations.ts'
import { outcome, TestApp } from '../../testing/harness.ts'
import { type Forgery, SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'

const begin = '/passkey/generate-register-options'
const finish = '/passkey/verify-registration'
const allowed = 'c1f9a0bc-1dd2-404a-b27f-8e29047a43fd'
const other = '53414d53-554e-4700-0000-000000000000'

const withPolicy = async (attestation: { allowed: string[]; roots?: string[] }) => {
  const app = new TestApp({ rateLimit: { enabled: false }, passkey: { attestation, signUp: true } })
  const device = await signUp(app, alice)
  const register = async (aaguid: string, forged: Forgery = {}) => {
    const { body: options } = await device.get(begin)
    return device.post(finish, { response: new SoftwareAuthenticator({ aaguid }).register(options, forged) })
  }
  return { app, device, register }
}

const notAllowed = { status: 403, code: 'AUTHENTICATOR_NOT_ALLOWED' }

describe('only some models are allowed', () => {
  it('200 for one of them, which registrations ask for; 403 for another one and for one that does not say', async () => {
    const { device, register } = await withPolicy({ allowed: [other, allowed.toUpperCase()] })
    expect((await device.get(begin)).body.attestation).toBe('direct')
    expect((await register(allowed)).status).toBe(200)
    expect(outcome(await register('fbfc3007-154e-4ecc-8c0b-6e020557d7bd'))).toEqual(notAllowed)
    expect(outcome(await register('00000000-0000-0000-0000-000000000000'))).toEqual(notAllowed)
    expect(await count('passkeys')).toBe(1)
  })

  it('a statement is not read without roots', async () => {
    const { register } = await withPolicy({ allowed: [allowed] })
    expect((await register(allowed, { attestation: 'packed' })).status).toBe(200)
  })

  it('passkeys without a question are off', async () => {
    const { app, device } = await withPolicy({ allowed: [allowed] })
    expect(outcome(await device.get(begin, { query: { automatic: 'true' } }))).toEqual(notAllowed)
    expect((await app.device().get('/config')).body.passkey.automatic).toBe(false)
    expect((await new TestApp().device().get('/config')).body.passkey.automatic).toBe(true)
  })

  it('sign-ups with a passkey follow the same rule', async () => {
    const { app } = await withPolicy({ allowed: [allowed] })
    const signUpWith = async (aaguid: string, email: string) => {
      const device = app.device()
      const { body: options } = await device.post('/passkey/generate-sign-up-options', { email })
      const response = new SoftwareAuthenticator({ aaguid }).register(options)
      return device.post('/sign-up/passkey', { email, name: 'Bob', response })
    }
    expect(outcome(await signUpWith(other, 'bob@example.com'))).toEqual(notAllowed)
    expect(await count('users')).toBe(1)
    expect((await signUpWith(allowed, 'bob@example.com')).status).toBe(200)
  })
})

describe('roots prove the model', () => {
  const maker = new Maker()

  it('200 for a statement of the maker, also through an authority between', async () => {
    const { register } = await withPolicy({ allowed: [allowed], roots: [new Maker('Another').root, maker.root] })
    expect((await register(allowed, { statement: maker.signerOf(allowed) })).status).toBe(200)
    expect((await register(allowed, { statement: maker.signerOf(allowed, { through: true }) })).status).toBe(200)
  })

  it('403 without a statement, or with one of somewhere else', async () => {
    const { register } = await withPolicy({ allowed: [allowed], roots: [maker.root] })
    const namesake = new Maker()
    const statements: Record<string, Forgery> = {
      none: {},
      'of another root': { statement: new Maker('Another').signerOf(allowed) },
      'of another root with the same name': { statement: namesake.signerOf(allowed) },
      'of a certificate that has expired': { statement: maker.signerOf(allowed, { years: [2020, 2025] }) },
      'of its own key': {
        statement: (signed, ownKey) => ({
          format: 'packed',
          fields: [
            ['alg', -7],
            ['sig', sign('sha256', signed, ownKey)],
          ],
        }),
      },
      'with the chain of the maker and the signature of another key': {
        statement: (signed, ownKey) => ({
          format: 'packed',
          fields: [
            ...namesake.signerOf(allowed)(signed, ownKey).fields.slice(0, 2),
            maker.signerOf(allowed)(signed, ownKey).fields[2]!,
          ],
        }),
      },
      'that names another model': { statement: maker.signerOf(other) },
      'with a model of the maker after another chain': {
        statement: (signed, ownKey) => {
          const { format, fields } = namesake.signerOf(allowed)(signed, ownKey)
          const [, chain] = maker.signerOf(allowed)(signed, ownKey).fields[2]!
          const both = [...(fields[2]![1] as Uint8Array[]), ...(chain as Uint8Array[])]
          return { format, fields: [...fields.slice(0, 2), ['x5c', both]] }
        },
      },
      'with a text in place of certificates': { attestation: 'packed' },
      'of Apple without certificates': { attestation: 'apple' },
      'of a later standard': { attestation: 'later' },
    }
    const codes: Record<string, unknown> = {}
    for (const [name, forged] of Object.entries(statements)) codes[name] = outcome(await register(allowed, forged))
    const notVerified = { status: 400, code: 'FAILED_TO_VERIFY_REGISTRATION' }
    expect(codes).toEqual({
      none: notAllowed,
      'of another root': notAllowed,
      'of another root with the same name': notAllowed,
      'of a certificate that has expired': notVerified,
      'of its own key': notAllowed,
      'with the chain of the maker and the signature of another key': notVerified,
      'that names another model': notVerified,
      'with a model of the maker after another chain': notAllowed,
      'with a text in place of certificates': notVerified,
      'of Apple without certificates': notVerified,
      'of a later standard': notVerified,
    })
    expect(await count('passkeys')).toBe(0)
  })

  it('403 while no root is valid', async () => {
    const past = new Maker('Past', [2020, 2025])
    const { register } = await withPolicy({ allowed: [allowed], roots: [past.root] })
    expect(outcome(await register(allowed, { statement: past.signerOf(allowed) }))).toEqual(notAllowed)
  })
})

describe('configuration', () => {
  it('rejects what is not a model or a certificate, and roots without models', async () => {
    const refused = (attestation: unknown) =>
      expect(async () => new TestApp({ passkey: { attestation } } as never).device().get('/config')).rejects.toThrow(
        /attestation/,
      )
    await refused({ allowed: ['YubiKey'] })
    await refused({ allowed: [allowed], roots: ['no certificate'] })
    await refused({ roots: [new Maker().root] })
  })
})
