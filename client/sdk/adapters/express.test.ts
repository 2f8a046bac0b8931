import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listeningProduct, testAdapter } from '../../../worker/testing/adapter.ts'
import { type AuthenticatorOptions, gatehouseAuth, type NodeHandler } from './express.ts'

type Last = (request: IncomingMessage, response: ServerResponse) => void

/** Runs handlers one after another, as Express does. */
function run(handlers: NodeHandler[], last: Last) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const step = (at: number) => (error?: unknown) => {
      if (error) response.writeHead(500).end(String(error))
      else if (at < handlers.length) void handlers[at]!(request, response, step(at + 1))
      else last(request, response)
    }
    step(0)()
  }
}

testAdapter(async (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const shown: Last = (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: auth.findCaller(request)?.user.name ?? null }))
  }
  const own: Last = (request, response) => response.end(JSON.stringify({ name: auth.callerOf(request).user.name }))
  const routes: Record<string, ReturnType<typeof run>> = {
    '/': run([auth.session()], shown),
    '/members': run([auth.session(), auth.protect()], own),
    '/admin': run([auth.protect({ role: 'admin' })], own),
    '/jobs': run([auth.protect({ permissions: { job: ['list'] } })], own),
  }
  return listeningProduct((request, response) => routes[request.url!.split('?')[0]!]!(request, response))
})

describe('the request', () => {
  const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
  const back = (request: Parameters<typeof auth.signInUrl>[0]) =>
    new URL(auth.signInUrl(request)).searchParams.get('callbackURL')

  it('has the protocol, the host and the whole path', () => {
    const headers = { host: 'app.example.com' }
    expect(back({ method: 'GET', url: '/list', originalUrl: '/orders/list?page=2', protocol: 'https', headers })).toBe(
      'https://app.example.com/orders/list?page=2',
    )
    expect(back({ method: 'GET', url: '/a', headers, socket: { encrypted: true } })).toBe('https://app.example.com/a')
    expect(back({ method: 'GET', url: '/a', headers: { ':authority': 'app.example.com', ':path': '/a' } })).toBe(
      'http://app.example.com/a',
    )
  })

  it('a path that names another host leads to the start page', () => {
    const headers = { host: 'app.example.com' }
    for (const url of ['//evil.example/x', 'https://evil.example/x', '/\\evil.example']) {
      expect({ url, back: back({ method: 'GET', url, headers }) }).toEqual({ url, back: 'http://app.example.com/' })
    }
  })

  it('has no caller on a route that is not protected', () => {
    expect(() => auth.callerOf({})).toThrow(TypeError)
    expect(auth.findCaller({})).toBeNull()
  })
})
