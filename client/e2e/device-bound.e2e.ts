import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { inApp } from './browser.ts'

/**
 * Device-bound sessions in Chromium itself, with keys in software: the headless browser of the other tests has none. Chromium
 * acts on the headers only over TLS without a certificate error, also for localhost.
 */
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome-stable'].find((path) => existsSync(path))

const features = 'DeviceBoundSessions,EnableBoundSessionCredentialsSoftwareKeysForManualTesting'

const alice = { name: 'Alice', email: 'alice@example.com', password: 'password1234' }
const host = 'accounts.example.com'

interface Asked {
  status: number
  body: any
}

/** A certificate of our own, and how Chromium names it. */
function makeCertificate(folder: string) {
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${host}`]
  execFileSync('openssl', [...options, '-keyout', keyFile, '-out', file], { stdio: 'ignore' })
  const cert = readFileSync(file)
  const publicKey = createPublicKey(cert).export({ type: 'spki', format: 'der' })
  return { key: readFileSync(keyFile), cert, spki: createHash('sha256').update(publicKey).digest('base64') }
}

describe.runIf(executablePath)('a Chromium with device-bound sessions', () => {
  let profile: string
  let spki: string
  /** The requests of the browser itself. */
  const seen: string[] = []
  let server: TestServer
  let edge: Server
  let url: string
  let context: BrowserContext
  let page: Page
  let losesRefreshes = false

  /** @param withKeys false: a browser that has the cookies alone */
  async function startBrowser(withKeys = true): Promise<void> {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: executablePath!,
      locale: 'en-US',
      args: [
        ...['--headless=new', '--no-sandbox', '--disable-gpu'],
        `--${withKeys ? 'enable' : 'disable'}-features=${features}`,
        ...[`--ignore-certificate-errors-spki-list=${spki}`, `--host-resolver-rules=MAP ${host} 127.0.0.1`],
      ],
    })
    page = await context.newPage()
    await page.goto(`${url}/sign-in`)
  }

  beforeAll(async () => {
    profile = mkdtempSync(join(tmpdir(), 'gatehouse-bound-'))
    const made = makeCertificate(profile)
    spki = made.spki
    edge = createServer({ key: made.key, cert: made.cert }, (incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const isRefresh = path!.endsWith('/device-session/refresh')
      if (isRefresh && losesRefreshes) {
        seen.push('lost')
        return incoming.destroy()
      }
      const forwarded = request(`${server.url}${path}`, { method, headers }, (answer) => {
        if (path!.includes('/device-session/')) seen.push(`${path!.split('/').at(-1)} ${answer.statusCode}`)
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.on('error', () => outgoing.destroy()).pipe(outgoing)
      })
      // The browser or the server may close while a request is under way.
      forwarded.on('error', () => outgoing.destroy())
      incoming.on('error', () => forwarded.destroy()).pipe(forwarded)
    })
    await new Promise<void>((resolve) => edge.listen(0, resolve))
    url = `https://${host}:${(edge.address() as AddressInfo).port}`
    server = await startServer({
      // The runtime of the test gives the requests of pages an Origin without TLS.
      config: { session: { deviceBound: 'offer' }, trustedOrigins: [url.replace('https:', 'http:')] },
      vars: { BASE_URL: url },
    })
    await startBrowser()
  })

  afterAll(async () => {
    await context?.close()
    await server?.close()
    edge?.closeAllConnections()
    edge?.close()
    if (profile) rmSync(profile, { recursive: true, force: true })
  })

  const ask = (path: string, body?: object): Promise<Asked> =>
    page.evaluate(
      ([address, text]) =>
        fetch(
          address!,
          text ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: text } : {},
        ).then(async (answer) => ({ status: answer.status, body: await answer.json() })),
      [`/api/auth${path}`, body ? JSON.stringify(body) : ''] as const,
    )

  const boundCookie = async () => (await context.cookies()).find(({ name }) => name.includes('.bound_'))
  /** The key of the session. */
  const boundKey = async () => (await ask('/get-session')).body.session.boundKey as string | undefined
  const loseBoundCookie = () => context.clearCookies({ name: /\.bound_/ })

  it('registers a key after the sign-up, and the session is bound from its next request on', async () => {
    expect((await ask('/sign-up/email', alice)).status).toBe(200)
    await expect.poll(boundCookie).toBeTruthy()
    expect(seen).toEqual(['register 200'])
    const { body } = await ask('/get-session')
    expect((await boundCookie())!.name).toBe(`__Secure-gatehouse.bound_${body.session.boundKey}`)
  })

  it('refreshes before a request without the bound cookie, in one round trip', async () => {
    const refresh = async () => {
      const before = (await boundCookie())!.value
      seen.length = 0
      await loseBoundCookie()
      expect((await ask('/list-sessions')).status).toBe(200)
      expect((await boundCookie())!.value).not.toBe(before)
    }
    // Chromium sets the cookie of a registration before it knows the session, and drops a challenge that comes in between:
    // the first refresh may have to ask for one.
    await refresh()
    expect(seen.at(-1)).toBe('refresh 200')
    await refresh()
    expect(seen).toEqual(['refresh 200'])
  })

  it('shows the session as bound', async () => {
    await page.goto(`${url}/account/security`)
    await inApp(page)
    await page.locator('#sessions').getByText('Bound to its device').waitFor()
  })

  it('keeps its cookies to itself: a copy of all of them is refused without the bound one', async () => {
    const copied = (await context.cookies()).filter(({ name }) => !name.includes('.bound_'))
    const cookie = copied.map(({ name, value }) => `${name}=${value}`).join('; ')
    const copy = async (path: string) => {
      const answer = await fetch(`${server.url}/api/auth/${path}`, { headers: { cookie } })
      return `${answer.status} ${((await answer.json()) as { code?: string }).code}`
    }
    // Requests from before the browser had the bound cookie are accepted for some seconds.
    await expect.poll(() => copy('list-sessions')).toBe('401 SESSION_KEY_REQUIRED')
    expect(await Promise.all(['get-session', 'token'].map(copy))).toEqual(Array(2).fill('401 SESSION_KEY_REQUIRED'))
    expect((await ask('/list-sessions')).status).toBe(200)
  })

  it('stays signed in when a refresh gets lost', async () => {
    await loseBoundCookie()
    losesRefreshes = true
    expect(await ask('/list-sessions')).toMatchObject({ status: 401, body: { code: 'SESSION_KEY_REQUIRED' } })
    losesRefreshes = false
    expect(seen.filter((one) => one === 'lost').length).toBeGreaterThan(0)
    await expect.poll(async () => (await ask('/list-sessions')).status).toBe(200)
  })

  it('keeps the key over a restart', async () => {
    await context.close()
    await startBrowser()
    await loseBoundCookie()
    expect((await ask('/list-sessions')).status).toBe(200)
    expect((await ask('/get-session')).body.session.boundKey).toBeTruthy()
  })

  it('signs in again where its key is lost', async () => {
    await context.close()
    await startBrowser(false)
    await loseBoundCookie()
    expect(await ask('/list-sessions')).toMatchObject({ status: 401, body: { code: 'SESSION_KEY_REQUIRED' } })
    await page.goto(`${url}/account/security`)
    await page.waitForURL('**/sign-in?callbackURL=*')
    expect((await ask('/sign-in/email', alice)).status).toBe(200)
    expect((await ask('/list-sessions')).status).toBe(200)
    await context.close()
    await startBrowser()
    await ask('/get-session?disableCookieCache=true')
    // Another cookie may be that of the session before, whose key Chromium has kept.
    await expect.poll(boundKey).toBeTruthy()
  })

  it('signs out, and forgets the key', async () => {
    const key = await boundKey()
    expect((await ask('/sign-out', {})).status).toBe(200)
    const names = (await context.cookies()).map(({ name }) => name)
    expect(names).not.toContain(`__Secure-gatehouse.bound_${key}`)
    expect((await ask('/get-session')).body).toBeNull()
  })
})
