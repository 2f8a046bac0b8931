import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { alice, signUp } from '../../testing/people.ts'

const address = 'http://localhost:8787/.well-known'
const own = 'https://shop.example.com/security'

it('password managers find the pages of passkeys and passwords at the origin', async () => {
  const app = new TestApp()
  const passkeys = await app.fetch(new Request(`${address}/passkey-endpoints`))
  expect({ status: passkeys.status, type: passkeys.headers.get('content-type'), body: passkeys.body }).toEqual({
    status: 200,
    type: 'application/json',
    body: { enroll: 'http://localhost:8787/account/security', manage: 'http://localhost:8787/account/security' },
  })
  const password = await app.fetch(new Request(`${address}/change-password`))
  expect({ status: password.status, location: password.headers.get('location') }).toEqual({
    status: 302,
    location: 'http://localhost:8787/account/security',
  })
})

it('a page of the product takes their place', async () => {
  const app = new TestApp({ pages: { security: own }, trustedOrigins: ['https://shop.example.com'] })
  const passkeys = await app.fetch(new Request(`${address}/passkey-endpoints`))
  expect(passkeys.body).toEqual({ enroll: own, manage: own })
  const password = await app.fetch(new Request(`${address}/change-password`))
  expect(password.headers.get('location')).toBe(own)
})

it('404 with passkeys off', async () => {
  const app = new TestApp({ passkey: { enabled: false } })
  expect((await app.fetch(new Request(`${address}/passkey-endpoints`))).status).toBe(404)
})

describe('/.well-known/webauthn', () => {
  const related = 'https://example.co.uk'
  const trusting = { passkey: { relatedOrigins: [related] }, trustedOrigins: [related] }
  const read = (app: TestApp) => app.fetch(new Request(`${address}/webauthn`))

  it('names the related origins, to any site', async () => {
    const { status, headers, body } = await read(new TestApp(trusting))
    expect({ status, body }).toEqual({ status: 200, body: { origins: [related] } })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('404 without one', async () => {
    expect((await read(new TestApp())).status).toBe(404)
  })

  it('a passkey that a page of a related origin has made is accepted, and of another site it is not', async () => {
    const app = new TestApp({ ...trusting, rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    const registerAt = async (origin: string) => {
      const { body } = await device.get('/passkey/generate-register-options')
      const response = new SoftwareAuthenticator().register(body, { origin })
      return (await device.post('/passkey/verify-registration', { response })).status
    }
    expect(await registerAt('https://example.com.evil.example')).toBe(400)
    expect(await registerAt(related)).toBe(200)
  })
})
