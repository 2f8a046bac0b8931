import { createServer, type RequestListener, request as requestOverHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuthenticatorOptions } from '../../client/sdk/authenticator/authenticator.ts'

/** In place of a deployment: get-session and has-permission, for the cookies of two users. */
class StandInAccounts {
  private readonly ended = new Set<string>()
  isDown = false
  requests = 0

  end(name: string): void {
    this.ended.add(name)
  }

  restore(): void {
    this.ended.clear()
    this.isDown = false
    this.requests = 0
  }

  readonly fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const request = new Request(String(input), init)
    this.requests++
    if (this.isDown) throw new TypeError('refused')
    const name = /gatehouse\.session_token=(\w+)\./.exec(request.headers.get('cookie') ?? '')?.[1]
    const { pathname } = new URL(request.url)
    if (pathname === '/api/auth/admin/has-permission') return Response.json({ success: name === 'root', error: null })
    if (pathname !== '/api/auth/get-session') return new Response(null, { status: 404 })
    if (!name || this.ended.has(name)) {
      const headers = { 'set-cookie': 'gatehouse.session_token=; Max-Age=0; Path=/' }
      return Response.json(null, { headers })
    }
    const at = '2026-11-01T00:00:00.000Z'
    const row = { createdAt: at, updatedAt: at }
    const user = { ...row, id: name, name, email: `${name}@example.com`, emailVerified: true, image: null }
    const session = { ...row, id: `s-${name}`, userId: name, token: name, expiresAt: at, ipAddress: '', userAgent: '' }
    const headers = new Headers()
    headers.append('set-cookie', `gatehouse.session_token=${name}.new; Path=/`)
    headers.append('set-cookie', 'gatehouse.session_data=data; Path=/')
    const role = name === 'root' ? 'user,admin' : 'user'
    return Response.json({ session, user: { ...user, role } }, { headers })
  }
}

/**
 * A product for `testAdapter`, with these routes: `/` identifies the caller and returns `{ name }` as JSON, null for a visitor;
 * `/members` is protected and returns the same; `/admin` is protected by the role `admin`; `/jobs` by
 * `permissions: { job: ['list'] }`.
 */
export interface AdaptedProduct {
  /** Sends a request to the product without following redirects. @param path with the query */
  send(path: string, init: { method?: string; headers: Record<string, string> }): Promise<Response>
  close?(): void | Promise<void>
}

/** A product that listens on a free port. Not `fetch` of Node, which adds `sec-fetch-mode: cors` to its requests. */
export async function listeningProduct(listener: RequestListener): Promise<AdaptedProduct> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    send: (path, { method = 'GET', headers }) =>
      new Promise((resolve, reject) => {
        const sending = requestOverHttp({ port, path, method, headers, agent: false }, async (incoming) => {
          const text = (await incoming.toArray()).join('')
          const found = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          const { statusCode: status = 0 } = incoming
          resolve(new Response(text || null, { status, headers: found }))
        })
        sending.on('error', reject).end()
      }),
    close: () => void server.close(),
  }
}

export interface AdapterTraits {
  /** The status for a visitor's request that opens no page. @default 401 */
  visitor?: 401 | 302
  /** The origin that the product's requests have. @default 'http://localhost:3000' */
  origin?: string
}

/** The behaviour that the adapters of all frameworks share. @param start creates the product */
export function testAdapter(
  start: (options: AuthenticatorOptions) => AdaptedProduct | Promise<AdaptedProduct>,
  { visitor = 401, origin = 'http://localhost:3000' }: AdapterTraits = {},
): void {
  const accounts = new StandInAccounts()
  let product: AdaptedProduct
  beforeAll(async () => {
    const options = { url: 'https://accounts.example.com', origin, fetch: accounts.fetch as typeof fetch }
    product = await start(options)
  })
  afterAll(() => product?.close?.())

  const page = { accept: 'text/html,*/*' }
  const as = (name: string) => ({ cookie: `theme=dark; gatehouse.session_token=${name}.signature` })
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    accounts.restore()
    return product.send(path, { method, headers })
  }
  const signIn = (path: string) =>
    `https://accounts.example.com/sign-in?callbackURL=${encodeURIComponent(origin + path)}`

  describe('a public route', () => {
    it('has the caller, or null', async () => {
      const visited = await send('/', page)
      expect([visited.status, await visited.json()]).toEqual([200, { name: null }])
      expect(accounts.requests).toBe(0)
      const answer = await send('/', { ...page, ...as('ada') })
      expect([answer.status, await answer.json()]).toEqual([200, { name: 'ada' }])
    })

    it('returns the cookies of Gatehouse once each, and no shared cache stores it', async () => {
      const { headers } = await send('/', { ...page, ...as('ada') })
      expect(headers.getSetCookie()).toEqual([
        'gatehouse.session_token=ada.new; Path=/',
        'gatehouse.session_data=data; Path=/',
      ])
      expect(headers.get('cache-control')).toContain('private')
    })
  })

  describe('a protected route', () => {
    it('redirects visitors to the sign-in page, which leads back', async () => {
      const { status, headers } = await send('/members?page=2', page)
      expect([status, headers.get('location')]).toEqual([302, signIn('/members?page=2')])
    })

    it('answers a request that opens no page', async () => {
      const answer = await send('/members', { accept: 'application/json' })
      expect(answer.status).toBe(visitor)
      if (visitor === 401) expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED' })
    })

    it('lets a user pass, asks once, and returns the cookies once each', async () => {
      const answer = await send('/members', { ...page, ...as('ada') })
      expect([answer.status, await answer.json()]).toEqual([200, { name: 'ada' }])
      expect(accounts.requests).toBe(1)
      expect(answer.headers.getSetCookie()).toHaveLength(2)
      expect(answer.headers.get('cache-control')).toContain('private')
    })

    it('notices an ended session, and removes its cookie', async () => {
      expect((await send('/members', { ...page, ...as('ada') })).status).toBe(200)
      accounts.end('ada')
      const { status, headers } = await product.send('/members', { headers: { ...page, ...as('ada') } })
      expect([status, headers.get('location')]).toEqual([302, signIn('/members')])
      expect(headers.getSetCookie()).toEqual(['gatehouse.session_token=; Max-Age=0; Path=/'])
    })

    it('is 503 while Gatehouse cannot be asked', async () => {
      accounts.restore()
      accounts.isDown = true
      const { status, headers } = await product.send('/members', { headers: { ...page, ...as('ada') } })
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    })

    it.each(['/admin', '/jobs'])('%s: is 403 without the role or the permission', async (path) => {
      expect((await send(path, { ...page, ...as('ada') })).status).toBe(403)
      expect((await send(path, { ...page, ...as('root') })).status).toBe(200)
      expect((await send(path, page)).status).toBe(302)
    })
  })
}
