import { Hono } from 'hono'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { testAdapter } from '../../../worker/testing/adapter.ts'
import { type AuthenticatorOptions, type Caller, gatehouseAuth } from './hono.ts'

const productWith = (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const app = new Hono()
    .get('/', auth.session(), (c) => c.json({ name: c.var.caller?.user.name ?? null }))
    // Both, as in a product that shows the user everywhere.
    .use('/members', auth.session())
    .get('/members', auth.protect(), (c) => c.json({ name: c.var.caller.user.name }))
    .get('/admin', auth.protect({ role: 'admin' }), (c) => c.json({ name: c.var.caller.user.name }))
    .get('/jobs', auth.protect({ permissions: { job: ['list'] } }), (c) => c.json({ name: c.var.caller.user.name }))
  return { send: async (path: string, init: RequestInit) => app.request(`http://localhost:3000${path}`, init) }
}

testAdapter(productWith)

describe('the options', () => {
  it('may be a function of the bindings, which is called once for each environment', async () => {
    let calls = 0
    const auth = gatehouseAuth((env: { URL: string }) => {
      calls++
      return { url: env.URL }
    })
    const app = new Hono().get('/', (c) => c.text(auth.signOutUrl(c, '/bye')))
    const env = { URL: 'https://a.example.com' }
    const urlIn = async (given: object) => (await app.request('http://localhost/', {}, given)).text()
    const back = 'sign-out?callbackURL=http%3A%2F%2Flocalhost%2Fbye'
    expect([await urlIn(env), await urlIn(env), await urlIn({ URL: 'https://b.example.com' })]).toEqual([
      `https://a.example.com/${back}`,
      `https://a.example.com/${back}`,
      `https://b.example.com/${back}`,
    ])
    expect(calls).toBe(2)
  })

  it('the caller has the fields of the product', () => {
    const fields = { user: { plan: { type: 'string', required: true, options: ['free', 'pro'] } } } as const
    const auth = gatehouseAuth<typeof fields>({ url: 'https://accounts.example.com' })
    new Hono().get('/', auth.protect(), (c) => {
      expectTypeOf(c.var.caller).toEqualTypeOf<Caller<typeof fields>>()
      expectTypeOf(c.var.caller.user.plan).toEqualTypeOf<'free' | 'pro'>()
      return c.body(null)
    })
  })
})
