import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { genericOAuth } from 'better-auth/plugins'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alice } from '../../testing/people.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

/** Another application, which uses the published generic OAuth plug-in for its sign-in. */
const application = 'http://localhost:3999'

let server: TestServer
/** The cookies of the user's browser. */
const jar = new Map<string, string>()

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.close())

async function visit(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
  headers.set('origin', server.url)
  if (init.body) headers.set('content-type', 'application/json')
  const answer = await fetch(new URL(path, server.url), { ...init, headers, redirect: 'manual' })
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  return answer
}

const post = async (path: string, body: object) =>
  (await visit(path, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<any>

it('an application with the published generic OAuth plug-in signs a user in', async () => {
  await post('/api/auth/sign-up/email', alice)
  const client = await post('/api/auth/oauth2/register', {
    redirect_uris: [`${application}/api/auth/oauth2/callback/gatehouse`],
    client_name: 'Another application',
  })
  const auth = betterAuth({
    baseURL: application,
    secret: 's'.repeat(32),
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'gatehouse',
            clientId: client.client_id,
            clientSecret: client.client_secret,
            discoveryUrl: `${server.url}/.well-known/openid-configuration`,
            scopes: ['openid', 'profile', 'email'],
            pkce: true,
          },
        ],
      }),
    ],
  })
  const begun = await auth.handler(
    new Request(`${application}/api/auth/sign-in/oauth2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: application },
      body: JSON.stringify({ providerId: 'gatehouse', callbackURL: '/welcome' }),
    }),
  )
  const { url } = (await begun.json()) as { url: string }
  const asked = (await (await visit(url)).json()) as { url: string }
  expect(asked.url).toContain('/consent?')
  const { redirectURI } = await post('/api/auth/oauth2/consent', { accept: true })
  const back = await auth.handler(new Request(redirectURI))
  expect({ status: back.status, location: back.headers.get('location') }).toEqual({ status: 302, location: '/welcome' })
  const cookie = back.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const session = await auth.api.getSession({ headers: new Headers({ cookie }) })
  expect(session?.user).toMatchObject({ email: alice.email, name: alice.name })
})
