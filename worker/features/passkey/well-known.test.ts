import { expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'

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
