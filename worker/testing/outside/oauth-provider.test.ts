import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../harness.ts'
import { OAuthProvider } from './oauth-provider.ts'
import type { ProviderDocumentation } from './provider-documentation.ts'
import { documentation } from './social/documentation.ts'
import { errorAt, locationOf, walk } from './walk.ts'

/** The fake rejects a client that departs from the documentation. These tests change the documentation. */

afterEach(() => {
  vi.restoreAllMocks()
})

const { spotify } = documentation

function walkAgainst(different: Partial<ProviderDocumentation>) {
  const provider = new OAuthProvider({ ...spotify, ...different }).install()
  const app = new TestApp({ socialProviders: { spotify: provider.options } })
  return walk(app.device(), provider)
}

describe('a client that departs from the documentation', () => {
  it('signs in with the unchanged documentation', async () => {
    expect(locationOf(await walkAgainst({}))).toBe('/dash')
  })

  it.each<[string, Partial<ProviderDocumentation['authorization']>]>([
    ['another page', { url: 'https://accounts.spotify.com/oauth' }],
    ['another name for the client id', { clientIdName: 'client_key' }],
    ['a parameter of a certain value', { fixed: { response_mode: 'form_post' } }],
    ['a scope that does not exist', { scopes: ['email'] }],
    ['other separators', { scopeSeparator: 'r', scopes: ['user-read-email'] }],
    ['no PKCE', { pkce: 'unknown' }],
  ])('sees an error page: %s', async (_, authorization) => {
    const different = { authorization: { ...spotify.authorization, ...authorization } }
    await expect(walkAgainst(different)).rejects.toThrow(/error page/)
  })

  it.each<[string, Partial<ProviderDocumentation['token']>]>([
    ['the secret in the body', { authentication: 'post' }],
    ['no secret at all', { authentication: 'none' }],
    ['a signed secret', { authentication: 'signed' }],
    ['another parameter', { additional: ['device_id'] }],
    ['another header', { headers: { 'client-id': /./ } }],
  ])('gets no token: %s', async (_, token) => {
    expect(locationOf(await walkAgainst({ token: { ...spotify.token, ...token } }))).toBe(errorAt('invalid_code'))
  })

  it('gets no profile: another header', async () => {
    const answer = await walkAgainst({ apiHeaders: { 'client-id': /./ } })
    expect(locationOf(answer)).toBe(errorAt('unable_to_get_user_info'))
  })

  it('gets a temporary error from an unreachable address', async () => {
    // The address is unreachable: an outage, not an error of the client.
    expect(locationOf(await walkAgainst({ api: {} }))).toBe(errorAt('temporarily_unavailable'))
  })

  it.each(['redirect_uri', 'code_verifier', 'code', 'grant_type'])('gets no token: a wrong %s', async (name) => {
    const provider = new OAuthProvider(spotify).install()
    const asIs = vi.mocked(globalThis.fetch).getMockImplementation()!
    vi.mocked(globalThis.fetch).mockImplementation((input, init) => {
      const form = init?.body instanceof URLSearchParams ? init.body : null
      form?.set(name, 'https://elsewhere.example.com/0123456789012345678901234567890123456789')
      return asIs(input, init)
    })
    const app = new TestApp({ socialProviders: { spotify: provider.options } })
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('invalid_code'))
  })
})
