import { createAuthClient } from 'better-auth/client'
import { genericOAuthClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoProviders, type OpenIdProvider, startOpenIdProvider } from '../../../testing/outside/openid-provider.ts'
import { browserFetch, walkPages } from '../../../testing/outside/walk-pages.ts'
import { alice } from '../../../testing/people.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let provider: OpenIdProvider
let server: TestServer

beforeAll(async () => {
  let application = ''
  provider = await startOpenIdProvider({ application: () => application, providerIds: ['demo'] })
  server = await startServer({
    config: {
      genericOAuth: demoProviders(provider, { demo: 'Demo' }),
      account: { accountLinking: { allowDifferentEmails: true } },
    },
  })
  application = server.url
})

afterAll(async () => {
  await server?.close()
  await provider?.close()
})

/** The published client, unmodified, in a separate browser that can follow links and fill in forms. */
function open() {
  const browser = browserFetch()
  const client = createAuthClient({
    baseURL: server.url,
    plugins: [genericOAuthClient()],
    fetchOptions: { customFetchImpl: browser.api(server.url) },
  })
  return { browser, client }
}

describe('the published client and a real OpenID provider', () => {
  it('signs in with discovery, PKCE and a verified id token; lists, refreshes, unlinks', async () => {
    const { browser, client } = open()
    const { data, error } = await client.signIn.oauth2({
      providerId: 'demo',
      callbackURL: '/api/auth/ok?back',
      newUserCallbackURL: '/api/auth/ok?new',
    })
    expect(error).toBeNull()
    expect(data).toEqual({ url: expect.stringContaining(`${provider.issuer}/auth?`), redirect: true })
    const end = await walkPages(browser, data!.url, { login: 'ada', password: 'any' })
    expect(end).toBe(`${server.url}/api/auth/ok?new`)

    const session = await client.getSession()
    expect(session.data?.user).toMatchObject({ email: 'ada@example.com', emailVerified: true, name: 'Ada' })
    const accounts = await client.listAccounts()
    expect(accounts.data).toMatchObject([{ provider: 'demo', accountId: 'ada' }])

    const token = await client.getAccessToken({ providerId: 'demo' })
    expect(token.data).toMatchObject({ accessToken: expect.any(String), accessTokenExpiresAt: expect.any(Date) })
    const refreshed = await client.refreshToken({ providerId: 'demo' })
    expect(refreshed.error).toBeNull()
    expect(refreshed.data).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) })
    const again = await client.refreshToken({ providerId: 'demo', accountId: 'ada' })
    expect(again.error).toBeNull()
    const info = await client.accountInfo({ accountId: 'ada' })
    expect(info.data).toMatchObject({ user: { id: 'ada', email: 'ada@example.com' }, data: { sub: 'ada' } })

    const last = await client.unlinkAccount({ providerId: 'demo' })
    expect(last.error).toMatchObject({ status: 400, code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT' })
  })

  it('links to the signed-in user, and unlinks', async () => {
    const { browser, client } = open()
    await client.signUp.email(alice)
    const { data } = await client.oauth2.link({ providerId: 'demo', callbackURL: '/api/auth/ok' })
    expect(data?.redirect).toBe(true)
    const end = await walkPages(browser, data!.url, { login: 'grace', password: 'any' })
    expect(end).toBe(`${server.url}/api/auth/ok`)
    const accounts = await client.listAccounts()
    expect(accounts.data?.map(({ provider: id }) => id)).toEqual(['credential', 'demo'])
    expect((await client.unlinkAccount({ providerId: 'demo' })).data).toEqual({ status: true })
    expect((await client.listAccounts()).data).toHaveLength(1)
  })

  it('another browser cannot finish the sign-in', async () => {
    const [mine, theirs] = [open(), open()]
    const { data } = await mine.client.signIn.oauth2({ providerId: 'demo', callbackURL: '/api/auth/ok' })
    const end = await walkPages(theirs.browser, data!.url, { login: 'mallory', password: 'any' })
    expect(end).toBe(`${server.url}/api/auth/error?error=please_restart_the_process`)
    expect((await theirs.client.getSession()).data).toBeNull()
  })

  it('a refused consent returns its error', async () => {
    const { browser, client } = open()
    const { data } = await client.signIn.oauth2({ providerId: 'demo', callbackURL: '/api/auth/ok' })
    const end = new URL(await walkPages(browser, data!.url, 'refuses'))
    expect(end.pathname).toBe('/api/auth/error')
    expect(end.searchParams.get('error')).toBe('access_denied')
  })
})
