import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAuthClient } from 'better-auth/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { gitlab } from '../../testing/outside/social/gitlab.ts'
import { browserFetch } from '../../testing/outside/walk-pages.ts'
import { alice } from '../../testing/people.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let instance: Server
let provider: OAuthProvider
let server: TestServer

/** A self-hosted GitLab on this machine. */
beforeAll(async () => {
  instance = createServer(async (request, response) => {
    const answer = await provider.receive(
      new Request(`${address}${request.url}`, {
        method: request.method!,
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(request.method === 'POST' ? { body: await text(request) } : {}),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(instance.address() as AddressInfo).port}`
  const here = (url: string) => url.replace('https://gitlab.com', address)
  provider = new OAuthProvider({
    ...gitlab,
    authorization: { ...gitlab.authorization, url: here(gitlab.authorization.url) },
    token: { ...gitlab.token, url: here(gitlab.token.url) },
    api: Object.fromEntries(Object.entries(gitlab.api).map(([name, endpoint]) => [here(name), endpoint])),
  })
  server = await startServer({ config: { socialProviders: { gitlab: { ...provider.options, issuer: address } } } })
})

afterAll(async () => {
  await server?.close()
  instance?.close()
})

/** The published client, unmodified, in a separate browser. */
function open() {
  const browser = browserFetch()
  const client = createAuthClient({ baseURL: server.url, fetchOptions: { customFetchImpl: browser.api(server.url) } })
  const comeBack = async (url: string) => {
    const { path, parameters } = provider.authorize(url)
    const answer = await browser.request(`${server.url}${path}?${new URLSearchParams(parameters)}`)
    return answer.headers.get('location')
  }
  return { client, comeBack }
}

describe('the published client and a social provider', () => {
  it('signs in, lists, reads tokens and the profile', async () => {
    const { client, comeBack } = open()
    const { data, error } = await client.signIn.social({ provider: 'gitlab', callbackURL: '/dash' })
    expect(error).toBeNull()
    expect(data?.redirect).toBe(true)
    expect(await comeBack(data!.url!)).toBe('/dash')
    const session = await client.getSession()
    expect(session.data?.user).toMatchObject({ name: 'Git Lab', email: 'octo@example.com', emailVerified: true })
    expect((await client.listAccounts()).data).toMatchObject([
      { provider: 'gitlab', accountId: '4242', scopes: ['read_user'] },
    ])
    const token = await client.getAccessToken({ providerId: 'gitlab' })
    expect(token.data).toMatchObject({ accessToken: expect.any(String), accessTokenExpiresAt: expect.any(Date) })
    const refreshed = await client.refreshToken({ providerId: 'gitlab' })
    expect(refreshed.data).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) })
    const info = await client.accountInfo({ accountId: '4242' })
    expect(info.data?.user).toMatchObject({ id: '4242', name: 'Git Lab' })
  })

  it('links to the signed-in user, and unlinks', async () => {
    provider.person = { id: '77', email: 'alice.private@example.net' }
    const { client, comeBack } = open()
    await client.signUp.email(alice)
    const { data } = await client.linkSocial({ provider: 'gitlab', callbackURL: '/settings' })
    expect(await comeBack(data!.url)).toBe('/settings')
    expect((await client.listAccounts()).data?.map(({ provider: id }) => id)).toEqual(['credential', 'gitlab'])
    expect((await client.unlinkAccount({ providerId: 'gitlab', accountId: '77' })).data).toEqual({ status: true })
    const last = await client.unlinkAccount({ providerId: 'credential' })
    expect(last.error).toMatchObject({ status: 400, code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT' })
  })

  it('reads the error', async () => {
    const { client } = open()
    const unknown = await client.signIn.social({ provider: 'github' })
    expect(unknown.error).toMatchObject({ status: 404, code: 'PROVIDER_NOT_FOUND' })
    const forged = await client.signIn.social({ provider: 'gitlab', idToken: { token: 'a.b.c' } })
    expect(forged.error).toMatchObject({ status: 404, code: 'ID_TOKEN_NOT_SUPPORTED' })
    const visitor = await client.linkSocial({ provider: 'gitlab', callbackURL: '/' })
    expect(visitor.error).toMatchObject({ status: 401 })
  })
})
