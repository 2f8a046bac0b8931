import { createAuthClient } from 'better-auth/client'
import { twoFactorClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { newest } from '../../../client/e2e/mailbox.ts'
import { alice } from '../../testing/people.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  // A new device alone is an unknown place here.
  server = await startServer({ config: { risk: { level: 'challenge', challengeFrom: 2 } } })
})
afterAll(() => server?.close())

it('the published client passes the challenge of a user without a second factor, as that of one with', async () => {
  const redirect = vi.fn()
  const device = () =>
    createAuthClient({
      baseURL: server.url,
      fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
      plugins: [twoFactorClient({ onTwoFactorRedirect: redirect })],
    })
  await device().signUp.email(alice)
  await (await server.database()).prepare('update users set email_verified = 1').run()
  await server.clearMailbox()
  const client = device()
  const { email, password } = alice
  expect((await client.signIn.email({ email, password })).data).toEqual({ twoFactorRedirect: true })
  expect(redirect).toHaveBeenCalledOnce()
  expect((await client.getSession()).data).toBeNull()
  expect((await client.twoFactor.sendOtp()).data).toEqual({ status: true })
  const code = await newest(server, email, 'codes')
  const wrong = await client.twoFactor.verifyOtp({ code: code === '000000' ? '000001' : '000000' })
  expect(wrong.error).toMatchObject({ status: 401, code: 'INVALID_CODE' })
  const { data, error } = await client.twoFactor.verifyOtp({ code })
  expect(error).toBeNull()
  expect(data).toMatchObject({ token: expect.any(String), user: { email } })
  expect((await client.getSession()).data?.user.email).toBe(email)
  await client.signOut()
  expect((await client.signIn.email({ email, password })).data).toMatchObject({ token: expect.any(String) })
})
