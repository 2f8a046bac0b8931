import { describe, expect, expectTypeOf, it } from 'vitest'
import { testAdapter } from '../../../worker/testing/adapter.ts'
import {
  type AuthenticatorOptions,
  type Caller,
  gatehouseAuth,
  type KitHandle,
  type SvelteKitAuth,
} from './sveltekit.ts'

class Thrown {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {}
}

/** `redirect` and `error` of SvelteKit, which throw objects that only it recognizes. */
const kit = {
  redirect(status: number, location: string | URL, options?: { external?: boolean | string[] }): never {
    expect(options?.external).toEqual([new URL(location).origin])
    throw new Thrown(status, String(location))
  },
  error(status: number, message?: string): never {
    throw new Thrown(status, String(message))
  },
}

/** What SvelteKit makes of that which a load function throws. */
function responseTo(thrown: unknown, isDataRequest: boolean): Response {
  if (!(thrown instanceof Thrown)) throw thrown
  const { status, text } = thrown
  if (status !== 302) return new Response(text, { status })
  if (isDataRequest) return Response.json({ type: 'redirect', location: text })
  return new Response(null, { status, headers: { location: text } })
}

interface Event {
  request: Request
  url: URL
  locals: App
  isDataRequest: boolean
}
interface App {
  caller?: Caller | null
}
type Load = (event: Event) => Promise<Response>

/** Runs the handle hooks of a sequence and a load function as SvelteKit does. */
async function run(path: string, init: RequestInit, handles: KitHandle[], load: Load): Promise<Response> {
  const request = new Request(new URL(path, 'http://localhost:3000'), init)
  const url = new URL(request.url)
  const isDataRequest = url.pathname.endsWith('/__data.json')
  url.pathname = url.pathname.replace(/\/__data\.json$/, '') || '/'
  const step = async (event: Event, at: number): Promise<Response> => {
    if (at < handles.length) return handles[at]!({ event, resolve: (next) => step(next, at + 1) })
    // Load functions get an event of their own.
    return load({ ...event }).catch((thrown) => responseTo(thrown, isDataRequest))
  }
  const event = { request, url, locals: {}, isDataRequest }
  return step(event, 0).catch((thrown) => responseTo(thrown, isDataRequest))
}

const shown: Load = async ({ locals }) => Response.json({ name: locals.caller?.user.name ?? null })

const productWith = (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options, kit)
  const routes: Record<string, [KitHandle[], Load]> = {
    '/': [[auth.session()], shown],
    '/members': [[auth.session(), auth.protect()], shown],
    '/admin': [[auth.session(), auth.protect({ role: 'admin' })], shown],
    '/jobs': [
      [auth.session()],
      async (event) => {
        const { user } = await auth.requireCaller(event, { permissions: { job: ['list'] } })
        return Response.json({ name: user.name })
      },
    ],
  }
  const send = (path: string, init: RequestInit) => run(path, init, ...routes[path.split('?')[0]!]!)
  return { send }
}

testAdapter(productWith)

describe('a load function or an action', () => {
  const visitor = gatehouseAuth({ url: 'https://accounts.example.com' }, kit)
  const guarded: Load = async (event) => Response.json(await visitor.requireCaller(event))
  const visit = (path: string, init: RequestInit = {}) => run(path, init, [visitor.session()], guarded)
  const signIn = (path: string) =>
    `https://accounts.example.com/sign-in?callbackURL=${encodeURIComponent(`http://localhost:3000${path}`)}`

  it('leads a visitor back to the page whose data was requested', async () => {
    const answer = await visit('/members/__data.json?page=2')
    expect(await answer.json()).toEqual({ type: 'redirect', location: signIn('/members?page=2') })
  })

  it('leads a visitor back to the page of a form', async () => {
    const init = { method: 'POST', body: new URLSearchParams(), headers: { referer: 'http://localhost:3000/new?a=1' } }
    for (const handles of [[visitor.session()], [visitor.session(), visitor.protect()]]) {
      const answer = await run('/new?/create', init, handles, guarded)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, signIn('/new?a=1')])
    }
  })

  it('refuses a visitor of an endpoint', async () => {
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    const answer = await visit('/api', json)
    expect([answer.status, await answer.text()]).toEqual([401, 'Sign in to continue.'])
  })

  it('needs session() in the handle hook', async () => {
    await expect(run('/', {}, [], guarded)).rejects.toThrow('auth.session()')
  })

  it('an ended session that a fresh rule notices gets no new cookies', async () => {
    const fetch = async (input: unknown) => {
      const isFresh = String(input).includes('disableCookieCache')
      const at = '2026-11-01T00:00:00.000Z'
      const found = { user: { id: 'ada', name: 'ada' }, session: { id: 's', updatedAt: at } }
      const cookie = isFresh ? 'gatehouse.session_token=; Max-Age=0' : 'gatehouse.session_data=new'
      return Response.json(isFresh ? null : found, { headers: { 'set-cookie': cookie } })
    }
    const auth = gatehouseAuth({ url: 'https://accounts.example.com', fetch: fetch as typeof globalThis.fetch }, kit)
    const init = { headers: { accept: 'text/html', cookie: 'gatehouse.session_token=ada.signature' } }
    const pay: Load = async (event) => Response.json((await auth.requireCaller(event, { fresh: true })).user)
    for (const [handles, load] of [
      [[auth.session()], pay],
      [[auth.session(), auth.protect({ fresh: true })], shown],
    ] as const) {
      const { status, headers } = await run('/pay', init, [...handles], load)
      expect([status, headers.getSetCookie()]).toEqual([302, ['gatehouse.session_token=; Max-Age=0']])
    }
  })
})

it('the caller has the fields of the product', () => {
  const fields = { user: { plan: { type: 'string', required: true, options: ['free', 'pro'] } } } as const
  type Auth = SvelteKitAuth<typeof fields>
  expectTypeOf<Awaited<ReturnType<Auth['requireCaller']>>>().toEqualTypeOf<Caller<typeof fields>>()
  expectTypeOf<Caller<typeof fields>['user']['plan']>().toEqualTypeOf<'free' | 'pro'>()
})
