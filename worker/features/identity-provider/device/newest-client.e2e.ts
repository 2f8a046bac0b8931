import { createAuthClient, deviceAuthorizationClient } from 'better-auth-newest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alice } from '../../../testing/people.ts'
import { publishedClientFetch } from '../../../testing/published-client.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

// The newest published client with its device-authorization plug-in, unmodified: a device, and the browser of its user.

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.close())

const browser = () =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
    plugins: [deviceAuthorizationClient()],
  })

it('requests a code, shows it, is approved once, and is denied', async () => {
  const [tv, user] = [browser(), browser()]
  expect((await user.signUp.email(alice)).error).toBeNull()
  const registered = await user.$fetch<{ client_id: string }>('/oauth2/register', {
    method: 'POST',
    body: {
      client_name: 'TV',
      grant_types: [grant_type],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'none',
    },
  })
  const { client_id } = registered.data!
  const begin = async () => (await tv.device.code({ client_id, scope: 'openid email' })).data!
  const poll = (device_code: string) => tv.device.token({ grant_type, device_code, client_id })

  const shown = await begin()
  expect(shown).toMatchObject({ verification_uri: `${server.url}/device`, interval: 5 })
  expect((await tv.device({ query: { user_code: shown.user_code } })).error?.status).toBe(401)
  expect((await tv.device.approve({ userCode: shown.user_code })).error?.status).toBe(401)
  expect((await user.device({ query: { user_code: shown.user_code } })).data).toEqual({
    ...{ user_code: shown.user_code, status: 'pending' },
    ...{ client_id, scope: 'openid email' },
  })
  expect((await user.device.approve({ userCode: shown.user_code })).data).toEqual({ success: true })
  expect((await user.device.approve({ userCode: shown.user_code })).error).toMatchObject({ status: 400 })
  expect((await poll(shown.device_code)).data).toMatchObject({
    ...{ token_type: 'Bearer', scope: 'openid email', access_token: expect.any(String) },
  })
  expect((await poll(shown.device_code)).error).toMatchObject({ error: 'slow_down' })

  const waiting = await begin()
  expect((await poll(waiting.device_code)).error).toMatchObject({ error: 'authorization_pending' })
  const other = await begin()
  expect((await user.device.deny({ userCode: other.user_code })).data).toEqual({ success: true })
  expect((await poll(other.device_code)).error).toMatchObject({ error: 'access_denied' })
  expect((await user.device({ query: { user_code: 'BCDF-GHJK' } })).error).toMatchObject({ status: 400 })
})
