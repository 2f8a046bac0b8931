import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { Postmark, Resend } from '../../testing/outside/mail-provider.ts'
import { alice, signUp } from '../../testing/people.ts'
import { storedRows } from '../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }
const from = { address: 'accounts@acme.example', name: 'Acme "Ltd"' }

const providers = {
  resend: {
    make: () => new Resend(),
    environment: { RESEND_API_KEY: 're_right' },
    wrong: { RESEND_API_KEY: 're_wrong' },
    refused: { status: 401, body: { statusCode: 401, name: 'missing_api_key', message: 'Missing API key' } },
    unprocessable: { status: 422, body: { statusCode: 422, name: 'missing_required_field', message: 'from' } },
    secret: /RESEND_API_KEY/,
  },
  postmark: {
    make: () => new Postmark(),
    environment: { POSTMARK_SERVER_TOKEN: 'right' },
    wrong: { POSTMARK_SERVER_TOKEN: 'wrong' },
    refused: { status: 401, body: { ErrorCode: 10, Message: 'Bad token' } },
    unprocessable: { status: 422, body: { ErrorCode: 400, Message: 'The From address is not a Sender Signature' } },
    secret: /POSTMARK_SERVER_TOKEN/,
  },
}

const tasks = async () =>
  (await storedRows('jobs', 'kind', 'attempts', 'last_error', 'next_at', 'state'))
    .filter(({ state }) => state === 'pending')
    .map(({ state, ...row }) => row)

let log: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const logged = () => log.mock.calls.join('\n')

/** The time at which the cron trigger runs all waiting jobs. */
const later = async (app: TestApp, seconds: number) => {
  vi.setSystemTime(Date.now() + seconds * 1000)
  await app.runScheduled()
}

describe.each(['resend', 'postmark'] as const)('%s', (transport) => {
  const { make, environment, wrong, refused, unprocessable, secret } = providers[transport]
  const appWith = (secrets: object = environment, changes: object = {}) =>
    new TestApp({ ...unlimited, mail: { transport, from }, ...changes }, secrets)

  it('takes a mail with both parts, from the configured sender', async () => {
    const provider = make().install()
    await signUp(appWith(), alice)
    expect(provider.taken).toMatchObject([
      {
        to: alice.email,
        from: '"Acme \\"Ltd\\"" <accounts@acme.example>',
        subject: 'Confirm your email for Gatehouse',
      },
    ])
    expect(provider.taken[0]!.text).toContain('/api/auth/verify-email?token=')
    expect(provider.taken[0]!.html).toContain('<!doctype html>')
    expect(await tasks()).toEqual([])
  })

  it.each([
    ['refuses the key (401)', refused],
    ['finds the request wrong (422)', unprocessable],
    ['answers 500', 'answers 500'],
    ['answers garbage', 'answers garbage'],
    ['does not answer', 'answers nothing'],
  ] as const)('that %s: the mail is kept, and sent once all is well', async (_what, trouble) => {
    const provider = make().install()
    const app = appWith()
    provider.breakDown(trouble)
    await signUp(app, alice)
    expect(await tasks()).toMatchObject([{ kind: 'mail', attempts: 1 }])
    expect(logged()).not.toContain(alice.email)
    await later(app, 60)
    expect(await tasks()).toMatchObject([{ kind: 'mail', attempts: 2, last_error: expect.any(String) }])
    provider.breakDown(null)
    await later(app, 300)
    expect(provider.taken.map(({ to }) => to)).toEqual([alice.email])
    expect(await tasks()).toEqual([])
    await later(app, 86_400)
    expect(provider.taken).toHaveLength(1)
  })

  it('that asks for a pause (429) gets it, at the first try and at later ones', async () => {
    const provider = make().install()
    // The lifetime of the link is as long as the pauses.
    const app = appWith(environment, { emailVerification: { expiresIn: 86_400 } })
    provider.breakDown({ status: 429, body: {}, headers: { 'retry-after': '7200' } })
    await signUp(app, alice)
    const asked = provider.asked
    await later(app, 7100)
    expect(provider.asked).toBe(asked)
    await later(app, 100)
    expect(provider.asked).toBe(asked + 1)
    provider.breakDown(null)
    await later(app, 7100)
    expect(provider.taken).toEqual([])
    await later(app, 100)
    expect(provider.taken).toHaveLength(1)
  })

  it('that asks for a short pause (429) is asked again without the cron trigger', async () => {
    const provider = make().install()
    const app = appWith()
    provider.breakDown({ status: 429, body: {}, headers: { 'retry-after': '0' } })
    provider.recoverAfter = 1
    await signUp(app, alice)
    expect(provider.taken).toHaveLength(1)
    expect(await tasks()).toEqual([])
  })

  it('a wrong secret is named in the log, and not told', async () => {
    make().install()
    await signUp(appWith(wrong), alice)
    expect(logged()).toMatch(secret)
    expect(logged()).not.toContain('wrong')
  })

  it('a recipient that there cannot be is logged and dropped', async () => {
    const provider = make().install()
    const app = appWith()
    provider.wrong.add(alice.email)
    await signUp(app, alice)
    expect(provider.taken).toEqual([])
    expect(logged()).toContain('mail-undeliverable')
    expect(logged()).not.toContain(alice.email)
    expect(await tasks()).toEqual([])
  })

  it('a mail that no provider accepted for a day is given up: its link is old', async () => {
    const provider = make().install()
    const app = appWith()
    provider.breakDown('answers 500')
    await signUp(app, alice)
    provider.breakDown(null)
    await later(app, 24 * 3600)
    expect(provider.taken).toEqual([])
    expect(logged()).toContain('mail-given-up')
    expect(await tasks()).toEqual([])
  })
})

describe('resend', () => {
  const mail = { transport: 'resend', from } as const

  it('a mail that was taken while its answer was lost is not sent again', async () => {
    const provider = new Resend().install()
    const app = new TestApp({ ...unlimited, mail }, providers.resend.environment)
    provider.losesAnswers = true
    await signUp(app, alice)
    await later(app, 60)
    provider.losesAnswers = false
    await later(app, 300)
    expect(provider.asked).toBe(4)
    expect(provider.taken).toHaveLength(1)
    expect(await tasks()).toEqual([])
  })

  it('neither is it when the sender has another name meanwhile', async () => {
    const provider = new Resend().install()
    provider.losesAnswers = true
    await signUp(new TestApp({ ...unlimited, mail }, providers.resend.environment), alice)
    const renamed = { ...mail, from: { ...from, name: 'New' } }
    await later(new TestApp({ ...unlimited, mail: renamed }, providers.resend.environment), 60)
    expect(provider.taken).toHaveLength(1)
    expect(await tasks()).toEqual([])
  })
})

describe('postmark', () => {
  it('an inactive recipient is dropped; a message stream is named where there is one', async () => {
    const provider = new Postmark().install()
    const mail = { transport: 'postmark', from, postmark: { messageStream: 'accounts' } } as const
    const app = new TestApp({ ...unlimited, mail }, providers.postmark.environment)
    await signUp(app, alice)
    expect(provider.streams).toEqual(['accounts'])
    provider.inactive.add(alice.email)
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    expect(provider.taken).toHaveLength(1)
    expect(logged()).toMatch(/mail-undeliverable.*error 406/)
    expect(await tasks()).toEqual([])
  })
})

describe('a function as the transport', () => {
  it('gets the mail with its sender and the bindings; what it throws keeps the mail', async () => {
    const sent: object[] = []
    const seen: unknown[] = []
    let broken = true
    const app = new TestApp({
      ...unlimited,
      mail: {
        from,
        transport: async (mail, bindings) => {
          sent.push(mail)
          seen.push(bindings.ENVIRONMENT)
          if (broken) throw new Error('queue full')
        },
      },
    })
    await signUp(app, alice)
    broken = false
    await later(app, 60)
    const expected = { id: expect.any(String), to: alice.email, subject: 'Confirm your email for Gatehouse', from }
    // Immediately, once more immediately, and by the cron trigger.
    expect(sent).toMatchObject([expected, expected, expected])
    expect([sent[1], sent[2]]).toEqual([sent[0], sent[0]])
    expect(Object.keys(sent[0]!).sort()).toEqual(['from', 'html', 'id', 'subject', 'text', 'to'])
    expect(new Set(seen)).toEqual(new Set(['development']))
    expect(await tasks()).toEqual([])
  })

  it('drops a mail by an error named Undeliverable', async () => {
    const transport = () => Promise.reject(Object.assign(new Error('no such person'), { name: 'Undeliverable' }))
    await signUp(new TestApp({ ...unlimited, mail: { from, transport } }), alice)
    expect(logged()).toContain('no such person')
    expect(await tasks()).toEqual([])
  })

  it('sends text messages likewise', async () => {
    const sent: object[] = []
    const text = { transport: async (message: object) => void sent.push(message) }
    const app = new TestApp({ ...unlimited, text, phoneNumber: { signUpOnVerification: true } })
    await app.device().post('/phone-number/send-otp', { phoneNumber: '+15550001111' })
    expect(sent).toEqual([{ to: '+15550001111', text: expect.stringContaining('is your Gatehouse code') }])
  })
})
