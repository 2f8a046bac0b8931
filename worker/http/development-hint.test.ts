import { describe, expect, it } from 'vitest'
import { TestApp } from '../testing/harness.ts'

const unlimited = { rateLimit: { enabled: false } }
const origin = 'http://localhost:3000'
const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }
const started = (environment: 'development' | 'production') =>
  new TestApp(
    { ...unlimited, mail: { transport: async () => undefined, from: { address: 'a@example.com' } } },
    environment === 'production' ? { ENVIRONMENT: environment, BASE_URL: 'https://accounts.example.com' } : {},
  )

const refusals: [string, (app: TestApp) => Promise<{ body: Record<string, unknown> }>, RegExp][] = [
  [
    'a foreign origin',
    (app) => app.device().post('/sign-up/email', person, { headers: { origin } }),
    /^Add http:\/\/localhost:3000 to trustedOrigins/,
  ],
  [
    'a server without an origin',
    (app) => app.device().post('/sign-out', {}, { headers: { origin: '', cookie: 'a=b' } }),
    /from a server, send "Origin: http/i,
  ],
  [
    'a foreign target',
    (app) => app.device().post('/sign-up/email', { ...person, callbackURL: 'https://shop.example.com/' }),
    /add the origin of the address to trustedOrigins/,
  ],
]

describe.each(refusals)('%s', (_what, refused, hint) => {
  it('is explained in development', async () => {
    expect((await refused(started('development'))).body).toMatchObject({
      code: expect.stringMatching(/^INVALID/),
      hint: expect.stringMatching(hint),
    })
  })

  it('is not explained in production', async () => {
    const { body } = await refused(started('production'))
    expect(body).toEqual({ code: expect.stringMatching(/^INVALID/), message: expect.any(String) })
  })
})

it('a limit is explained in development', async () => {
  const device = new TestApp().device()
  const answers = []
  for (let n = 0; n < 4; n++) answers.push(await device.post('/sign-in/email', person))
  expect(answers.at(-1)!.body).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    hint: expect.stringContaining('RATE_LIMIT=off'),
  })
})
