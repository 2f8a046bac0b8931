import { afterEach, describe, expect, it, vi } from 'vitest'
import { breakDown, deliverAll, installProvider, troubles, withBilling } from '../../../testing/billing.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { count, insertRows, rowOf } from '../../../testing/rows.ts'
import { addJobs, idOf, newUser } from '../../../testing/states.ts'

afterEach(() => vi.restoreAllMocks())

const signUpAnswer = (app: TestApp) => app.device().post('/sign-up/email', alice)
const calls = (provider: ReturnType<typeof installProvider>) =>
  provider.requests.map(({ method, path }) => `${method} ${path}`)

describe('POST /sign-up/email, billing.onSignUp blocking', () => {
  it('200: the customer is made first, with the id that the user will have', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    const { status, body } = await signUpAnswer(app)
    expect({ status, email: body.user.email }).toEqual({ status: 200, email: alice.email })
    expect(provider.requests).toMatchObject([
      { method: 'GET', path: '/v1/customers/', token: 'polar_oat_fake' },
      { method: 'POST', path: '/v1/customers/', token: 'polar_oat_fake' },
    ])
    expect(provider.requests[0]!.query.email).toBe(alice.email)
    expect(provider.requests[1]!.body).toEqual({ external_id: body.user.id, email: alice.email, name: alice.name })
  })

  it.each(troubles)('500 when the provider %s: no user is written', async (trouble) => {
    const provider = installProvider()
    breakDown(provider, trouble)
    const app = new TestApp(withBilling())
    const { status, body, cookies } = await signUpAnswer(app)
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'POLAR_CUSTOMER_CREATION_FAILED' })
    expect(body.message).toMatch(/^Polar customer creation failed\. Error: the billing provider /)
    expect(cookies).toEqual([])
    expect(await count('users')).toBe(0)
    provider.recover()
    expect((await signUpAnswer(app)).status).toBe(200)
  })

  it('one server error is retried immediately and not visible', async () => {
    const provider = installProvider()
    breakDown(provider, 'answers 500', 1)
    expect((await signUpAnswer(new TestApp(withBilling()))).status).toBe(200)
    expect(provider.requests).toHaveLength(3)
  })

  it('422 for a taken address: no customer is made for it', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    await signUpAnswer(app)
    const before = provider.requests.length
    expect((await signUpAnswer(app)).status).toBe(422)
    expect(provider.requests).toHaveLength(before)
  })

  it('whom a hook of the product refuses becomes no customer; the name is the one that a hook gives', async () => {
    const provider = installProvider()
    const refuse = { code: 'NOT_INVITED', message: 'Ask Bob' }
    const refusing = new TestApp({ ...withBilling(), hooks: { creatingUser: () => ({ refuse }) } })
    expect((await signUpAnswer(refusing)).status).toBe(403)
    expect(provider.requests).toEqual([])
    const naming = new TestApp({ ...withBilling(), hooks: { creatingUser: () => ({ change: { name: 'Alice A.' } }) } })
    expect((await signUpAnswer(naming)).status).toBe(200)
    expect(provider.requests.at(-1)!.body).toMatchObject({ name: 'Alice A.' })
  })

  it('a sign-up that fails after its customer was made leaves none, and may come again', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    const receive = provider.receive.bind(provider)
    const spy = vi.spyOn(provider, 'receive').mockImplementation(async (request, signal) => {
      const made = request.method === 'POST'
      const answer = await receive(request, signal)
      if (!made) return answer
      spy.mockRestore()
      // Another visitor takes the username during the request.
      const other = new TestApp(withBilling({ createCustomerOnSignUp: false })).device()
      await other.post('/sign-up/email', { ...bob, username: 'ada' })
      return answer
    })
    expect((await app.device().post('/sign-up/email', { ...alice, username: 'ada' })).status).toBe(422)
    expect([...provider.accounts.values()]).toEqual([])
    const { status, body } = await app.device().post('/sign-up/email', { ...alice, username: 'ada2' })
    expect(status).toBe(200)
    expect([...provider.accounts.values()].map(({ customer }) => customer.external_id)).toEqual([body.user.id])
  })

  it('503 when customerMetadata hangs: no user is written', async () => {
    const provider = installProvider()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const customerMetadata = () => {
      queueMicrotask(() => vi.advanceTimersByTime(5000))
      return new Promise<never>(() => {})
    }
    const app = new TestApp(withBilling({ customerMetadata }))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { status } = await signUpAnswer(app)
    vi.useRealTimers()
    expect({ status, users: await count('users'), accounts: provider.accounts.size }).toEqual({
      status: 503,
      users: 0,
      accounts: 0,
    })
  })

  it('a user with only a number has no address to bill, and becomes a customer once they have one', async () => {
    const provider = installProvider()
    const app = new TestApp({ ...withBilling(), phoneNumber: { signUpOnVerification: true } })
    const device = app.device()
    const phoneNumber = '+15550001111'
    await device.post('/phone-number/send-otp', { phoneNumber })
    const code = (await app.mailbox()).find(({ to }) => to === phoneNumber)!.codes[0]
    const { status, body } = await device.post('/phone-number/verify', { phoneNumber, code })
    expect({ status, requests: provider.requests }).toEqual({ status: 200, requests: [] })
    expect((await device.post('/update-user', { name: 'Alice' })).status).toBe(200)
    expect(provider.requests).toEqual([])
    expect((await device.post('/change-email', { newEmail: alice.email })).status).toBe(200)
    await device.get(await app.linkTo(alice.email))
    expect([...provider.accounts.values()].map(({ customer }) => [customer.external_id, customer.email])).toEqual([
      [body.user.id, alice.email],
    ])
  })

  it('asks nothing unless createCustomerOnSignUp, and nothing for a guest', async () => {
    const provider = installProvider()
    const device = await signUp(new TestApp(withBilling({ createCustomerOnSignUp: false })), alice)
    await device.post('/update-user', { name: 'Alice II' })
    await new TestApp(withBilling()).device().post('/sign-in/anonymous')
    expect(provider.requests).toEqual([])
  })

  it('costs what it declares, also when each answer of the provider is lost once', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    const { io } = await signUpAnswer(app)
    expect(io).toMatchObject({ d1: [2, 3], outside: [2, 6] })
    const receive = provider.receive.bind(provider)
    const asked = new Set<string>()
    vi.spyOn(provider, 'receive').mockImplementation(async (request, signal) => {
      const answer = await receive(request, signal)
      const call = `${request.method} ${new URL(request.url).pathname}`
      if (asked.has(call)) return answer
      asked.add(call)
      return new Response('lost', { status: 500 })
    })
    const worst = await app.device().post('/sign-up/email', bob)
    expect(worst).toMatchObject({ status: 200, io: { outside: [6, 6] } })
    expect(provider.accounts.size).toBe(2)
  })
})

describe('POST /sign-up/email, billing.onSignUp outbox', () => {
  const outbox = withBilling({ onSignUp: 'outbox' })

  it('is what strict chooses', async () => {
    const provider = installProvider()
    breakDown(provider, 'answers 500')
    const app = new TestApp({ ...withBilling(), profile: 'strict' })
    expect((await signUpAnswer(app)).status).toBe(200)
    expect(await count('users')).toBe(1)
  })

  it.each(troubles)('200 while the provider %s; the customer is made once it can be', async (trouble) => {
    const provider = installProvider()
    breakDown(provider, trouble)
    const app = new TestApp(outbox)
    const { status, body } = await signUpAnswer(app)
    expect(status).toBe(200)
    expect({ accounts: provider.accounts.size, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      accounts: 0,
      pendingJobs: 1,
    })
    provider.recover()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    await app.runScheduled()
    vi.useRealTimers()
    expect([...provider.accounts.values()].map(({ customer }) => customer.external_id)).toEqual([body.user.id])
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })

  it('while the provider is down the cron trigger does not wait for it over and over, and does all else', async () => {
    const provider = installProvider()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const app = new TestApp(outbox)
    await signUp(app, alice)
    const late = Array.from({ length: 20 }, (_, n) => `${n}`)
    await insertRows('users', ...late.map((id) => newUser({ id })))
    await addJobs('billing-customer', ...late.map((userId) => ({ payload: JSON.stringify({ userId }) })))
    await addJobs('unknown', { id: 'u', nextAt: new Date(2) })
    provider.requests.length = 0
    breakDown(provider, 'answers nothing')
    await app.runScheduled()
    // Three of them, each with two requests.
    expect(provider.requests).toHaveLength(6)
    const { attempts } = (await rowOf('jobs', { id: 'u' }))!
    expect(attempts).toBe(1)
    provider.recover()
    await app.runScheduled()
    expect(provider.accounts.size).toBe(1 + 17)
  })

  it('exactly one customer when the answer to its creation is lost', async () => {
    const provider = installProvider()
    const app = new TestApp(outbox)
    provider.fail('answers 500', 4, true)
    await signUpAnswer(app)
    provider.recover()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    await app.runScheduled()
    vi.useRealTimers()
    expect({ accounts: provider.accounts.size, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      accounts: 1,
      pendingJobs: 0,
    })
  })

  it('a sign-up that is refused leaves no task and no customer', async () => {
    const provider = installProvider()
    const app = new TestApp(outbox)
    await signUpAnswer(app)
    expect((await signUpAnswer(app)).status).toBe(422)
    expect({ accounts: provider.accounts.size, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      accounts: 1,
      pendingJobs: 0,
    })
  })
})

describe('an existing customer of the address', () => {
  const outbox = withBilling({ onSignUp: 'outbox' })

  it.each(['blocking', 'outbox'] as const)(
    'is linked once the address is proven, and not before (%s)',
    async (onSignUp) => {
      const provider = installProvider()
      const customer = provider.create({ email: alice.email, name: 'Alice of old' })
      const app = new TestApp(withBilling({ onSignUp }))
      await signUp(app, alice)
      expect(customer.external_id).toBeNull()
      expect(provider.accounts.size).toBe(1)
      await app.device().get(await app.linkTo(alice.email))
      expect(customer.external_id).toBe(await idOf(alice.email))
      expect(provider.accounts.size).toBe(1)
    },
  )

  it.each(['blocking', 'outbox'] as const)(
    'is not linked to a user who is refused in the end (%s)',
    async (onSignUp) => {
      const provider = installProvider()
      const customer = provider.create({ email: alice.email })
      const codeSignIn = async (app: TestApp) => {
        await app.device().post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
        const otp = (await app.mailbox()).find(({ to }) => to === alice.email)!.codes[0]
        return (await app.device().post('/sign-in/email-otp', { email: alice.email, otp })).status
      }
      const refuse = { code: 'NOT_NOW', message: 'Come back tomorrow' }
      const refusing = new TestApp({ ...withBilling({ onSignUp }), hooks: { signingIn: () => ({ refuse }) } })
      expect({ status: await codeSignIn(refusing), externalId: customer.external_id }).toEqual({
        status: 403,
        externalId: null,
      })
      expect(await codeSignIn(new TestApp(withBilling({ onSignUp })))).toBe(200)
      expect(customer.external_id).toBe(await idOf(alice.email))
    },
  )

  it('customerMetadata is sent with a new customer and with a linked one', async () => {
    const provider = installProvider()
    provider.create({ email: bob.email })
    const customerMetadata = async ({ name }: { name: string }) => ({ plan: 'trial', name })
    const app = new TestApp(withBilling({ onSignUp: 'outbox', customerMetadata }))
    await signUp(app, alice)
    await signUp(app, bob)
    await app.device().get(await app.linkTo(bob.email))
    for (const { email, name } of [alice, bob]) {
      const { customer } = provider.accountOf(await idOf(email))
      expect(customer.metadata).toEqual({ plan: 'trial', name })
    }
  })

  it('is never taken from another user', async () => {
    const provider = installProvider()
    const customer = provider.create({ email: alice.email, external_id: 'another-client' })
    const app = new TestApp(outbox)
    await signUp(app, alice)
    await app.device().get(await app.linkTo(alice.email))
    expect(customer.external_id).toBe('another-client')
    expect(calls(provider)).not.toContain(`PATCH /v1/customers/${customer.id}`)
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })
})

describe('POST /update-user', () => {
  it('sends the new name to the provider', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    const device = await signUp(app, alice)
    expect((await device.post('/update-user', { name: 'Alice II' })).status).toBe(200)
    const last = provider.requests.at(-1)!
    const id = await idOf(alice.email)
    expect({ method: last.method, path: last.path, body: last.body }).toEqual({
      method: 'PATCH',
      path: `/v1/customers/external/${id}`,
      body: { email: alice.email, name: 'Alice II' },
    })
  })

  it('200 while the provider fails; it receives the change later', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    const device = await signUp(app, alice)
    breakDown(provider, 'answers 500')
    expect((await device.post('/update-user', { name: 'Alice II' })).status).toBe(200)
    provider.recover()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    await app.runScheduled()
    vi.useRealTimers()
    expect(provider.accountOf(await idOf(alice.email)).customer.name).toBe('Alice II')
  })
})

describe('a user who changes while the provider is down', () => {
  const root = { name: 'Root', email: 'root@example.com', password: 'password-of-root' }
  const told = (provider: ReturnType<typeof installProvider>, id: string) => {
    const { name, email } = provider.accountOf(id).customer
    return { name, email }
  }

  it.each<[string, (app: TestApp, device: Device, userId: string) => Promise<unknown>, object]>([
    ['/update-user', (_, device) => device.post('/update-user', { name: 'Alice II' }), { name: 'Alice II' }],
    [
      '/change-email',
      (_, device) => device.post('/change-email', { newEmail: 'alice@example.org' }),
      { email: 'alice@example.org' },
    ],
    [
      '/admin/update-user',
      async (app, _, userId) =>
        (await signUp(app, root)).post('/admin/update-user', { userId, data: { name: 'Alice III' } }),
      { name: 'Alice III' },
    ],
  ])('%s: the change and the task are one batch; the provider receives it once it can', async (_, change, changes) => {
    const provider = installProvider()
    const config = { ...withBilling({ onSignUp: 'outbox' }), user: { changeEmail: { enabled: true } } }
    const app = new TestApp(config, { ADMIN_EMAILS: root.email }, false)
    const device = await signUp(app, alice)
    const userId = await idOf(alice.email)
    breakDown(provider, 'answers 500')
    await change(app, device, userId)
    const { name, email } = alice
    expect(told(provider, userId)).toEqual({ name, email })
    provider.recover()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    await app.runScheduled()
    vi.useRealTimers()
    expect(told(provider, userId)).toEqual({ name, email, ...changes })
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })

  it('a proven address links the customer later', async () => {
    const provider = installProvider()
    const customer = provider.create({ email: alice.email })
    const app = new TestApp(withBilling({ onSignUp: 'outbox' }))
    await signUp(app, alice)
    breakDown(provider, 'answers garbage')
    await app.device().get(await app.linkTo(alice.email))
    expect(customer.external_id).toBeNull()
    provider.recover()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    await app.runScheduled()
    vi.useRealTimers()
    expect(customer.external_id).toBe(await idOf(alice.email))
  })

  it('a rejection of the provider is only logged', async () => {
    const provider = installProvider()
    provider.create({ email: 'alice@example.org', external_id: 'another-client' })
    const app = new TestApp({ ...withBilling(), user: { changeEmail: { enabled: true } } })
    const device = await signUp(app, alice)
    const log = vi.spyOn(console, 'error')
    expect((await device.post('/change-email', { newEmail: 'alice@example.org' })).status).toBe(200)
    expect(log.mock.calls.flat().join()).toContain('billing-customer-update-failed')
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })

  it('an access token that is refused loses nothing', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling({ accessToken: 'withdrawn', onSignUp: 'outbox' }))
    const device = await signUp(app, alice)
    await device.post('/update-user', { name: 'Alice II' })
    expect({ accounts: provider.accounts.size, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      accounts: 0,
      pendingJobs: 2,
    })
  })
})

describe('POST /delete-user', () => {
  it('deletes the customer too with deleteCustomerOnDeletion, and the stored data', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling({ deleteCustomerOnDeletion: true }))
    const device = await signUp(app, alice)
    await deliverAll(app, provider)
    expect(await count('billing_customers')).toBe(1)
    expect((await device.post('/delete-user', { password: alice.password })).status).toBe(200)
    expect({ accounts: provider.accounts.size, billingCustomers: await count('billing_customers') }).toEqual({
      accounts: 0,
      billingCustomers: 0,
    })
  })

  it('leaves the customer alone otherwise', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling())
    const device = await signUp(app, bob)
    await device.post('/delete-user', { password: bob.password })
    expect(provider.accounts.size).toBe(1)
  })
})
