import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin as preview, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { errorPage, locationOf } from '../../../testing/outside/walk.ts'
import { rowOf } from '../../../testing/rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const production = 'https://accounts.example.com'

/** Two deployments with shared stores: production's callback is registered at the provider. */
function start(trustedOrigins = [preview]) {
  const provider = new OAuthProvider(google).install()
  const config = { rateLimit: { enabled: false }, socialProviders: { google: provider.options } }
  const oAuthProxy = { productionURL: production }
  return {
    provider,
    atPreview: new TestApp({ ...config, oAuthProxy }),
    atProduction: new TestApp({ ...config, oAuthProxy, trustedOrigins }, { BASE_URL: production }),
  }
}

type Deployments = ReturnType<typeof start>

/** Starts at the preview, returns to production. @returns the response of production */
async function handOver({ provider, atProduction }: Deployments, device: Device, more: object = {}) {
  const { body } = await device.post('/sign-in/social', { provider: 'google', callbackURL: '/dash', ...more })
  expect(new URL(body.url).searchParams.get('redirect_uri')).toBe(`${production}/api/auth/callback/google`)
  const { path, parameters } = provider.authorize(body.url)
  return atProduction.device().get(`${production}${path}`, { query: parameters })
}

describe('/oauth-proxy-callback', () => {
  it('302: signs in at the preview, and only there', async () => {
    const deployments = start()
    const device = deployments.atPreview.device()
    const handed = await handOver(deployments, device)
    expect(handed.cookies).toEqual([])
    expect(handed.headers.has('set-auth-token')).toBe(false)
    const next = new URL(locationOf(handed)!)
    expect(next.origin + next.pathname).toBe(`${preview}/api/auth/oauth-proxy-callback`)
    expect(next.searchParams.get('callbackURL')).toBe('/dash')
    expect(next.searchParams.get('cookies')).toMatch(/^ey/)
    const answer = await device.get(next.toString())
    expect(locationOf(answer)).toBe('/dash')
    expect((await device.get('/get-session')).body.user.email).toBe('octo@example.com')
  })

  const refused = errorPage('OAuthProxy_Invalid_cookies_or_secret')

  it('302: refused in another browser, twice, or a minute later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const deployments = start()
    const [device, other] = [deployments.atPreview.device(), deployments.atPreview.device()]
    const first = locationOf(await handOver(deployments, device))!
    await other.post('/sign-in/social', { provider: 'google' })
    expect(locationOf(await other.get(first))).toBe(refused)
    expect(other.jar.has('gatehouse.session_token')).toBe(false)
    expect(locationOf(await device.get(first))).toBe('/dash')
    expect(locationOf(await device.get(first))).toBe(refused)
    const second = locationOf(await handOver(deployments, device))!
    vi.setSystemTime(Date.now() + 61_000)
    expect(locationOf(await device.get(second))).toBe(refused)
  })

  it('302: refused when it is forged, or for another deployment', async () => {
    const deployments = start()
    const device = deployments.atPreview.device()
    await device.post('/sign-in/social', { provider: 'google' })
    const query = { callbackURL: '/dash', cookies: '00ff' }
    expect(locationOf(await device.get('/oauth-proxy-callback', { query }))).toBe(refused)
    const handed = new URL(locationOf(await handOver(deployments, device))!)
    const moved = deployments.atProduction.device()
    moved.jar.set('__Secure-gatehouse.oauth_state', device.jar.get('gatehouse.oauth_state')!)
    const answer = await moved.get(`${production}${handed.pathname}${handed.search}`)
    expect(locationOf(answer)).toContain(`${production}/api/auth/error?error=OAuthProxy`)
  })

  it('400 and 403: parameters that are missing, a callback that is not trusted', async () => {
    const device = start().atPreview.device()
    expect((await device.get('/oauth-proxy-callback')).body.code).toBe('VALIDATION_ERROR')
    const query = { callbackURL: 'https://evil.example.org', cookies: 'x' }
    const answer = await device.get('/oauth-proxy-callback', { query })
    expect(answer).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
  })
})

describe('/callback/:id for another deployment', () => {
  it('302: refused where production does not trust it', async () => {
    const deployments = start(['https://other.example.com'])
    const handed = await handOver(deployments, deployments.atPreview.device())
    expect(locationOf(handed)).toBe(`${production}/api/auth/error?error=please_restart_the_process`)
    expect(await rowOf('sessions')).toBeNull()
  })

  it("302: errors go to the caller's page, at the preview", async () => {
    const deployments = start()
    deployments.provider.person = { id: '1' }
    const handed = await handOver(deployments, deployments.atPreview.device(), { errorCallbackURL: '/err' })
    expect(locationOf(handed)).toBe(`${preview}/err?error=email_not_found`)
  })

  it('302: the state works once', async () => {
    const { provider, atPreview, atProduction } = start()
    const { body } = await atPreview.device().post('/sign-in/social', { provider: 'google' })
    const { path, parameters } = provider.authorize(body.url)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => atProduction.device().get(`${production}${path}`, { query: parameters })),
    )
    const locations = answers.map(locationOf)
    expect(locations.filter((location) => location?.includes('oauth-proxy-callback'))).toHaveLength(1)
  })

  it('production signs in its own browsers', async () => {
    const { provider, atProduction } = start()
    const device = atProduction.device()
    const { body } = await device.post(
      `${production}/api/auth/sign-in/social`,
      { provider: 'google', callbackURL: '/dash' },
      {
        headers: { origin: production },
      },
    )
    const { path, parameters } = provider.authorize(body.url)
    expect(locationOf(await device.get(`${production}${path}`, { query: parameters }))).toBe('/dash')
  })
})
