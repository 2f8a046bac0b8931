import { describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { securityNotice } from './messages.ts'
import { sendMailAfter } from './send.ts'

const unlimited = { rateLimit: { enabled: false }, phoneNumber: { signUpOnVerification: true } }
const number = '+15550001111'
const text = (app: TestApp, phoneNumber: string) => app.device().post('/phone-number/send-otp', { phoneNumber })

describe('text messages', () => {
  it('10 in a quarter of an hour to one number, from whatever addresses; the answer stays the same', async () => {
    const app = new TestApp(unlimited)
    for (let n = 0; n < 12; n++) expect((await text(app, number)).status).toBe(200)
    expect(await app.mailbox()).toHaveLength(10)
    await text(app, '+15550002222')
    expect(await app.mailbox()).toHaveLength(11)
  })

  it('a ceiling for the whole deployment in a day', async () => {
    const app = new TestApp({ ...unlimited, messages: { textsPerDay: 3 } })
    for (let n = 0; n < 5; n++) await text(app, `+1555000111${n}`)
    expect(await app.mailbox()).toHaveLength(3)
  })
})

describe('a message that is not sent any more', () => {
  const codes = async (app: TestApp) => (await app.mailbox()).flatMap((entry) => entry.codes)

  it('keeps the code of the last mail valid: repeated requests do not lock the user out', async () => {
    const app = new TestApp({ ...unlimited, messages: { mailsPerKind: { max: 1 } } })
    await signUp(app, alice)
    const { email } = alice
    for (let n = 0; n < 3; n++) await app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    const [otp, ...others] = await codes(app)
    expect(others).toEqual([])
    expect((await app.device().post('/sign-in/email-otp', { email, otp })).status).toBe(200)
  })

  it('the same of a text message', async () => {
    const app = new TestApp({ ...unlimited, messages: { textsPerNumber: { max: 1 } } })
    for (let n = 0; n < 3; n++) await text(app, number)
    const [code, ...others] = await codes(app)
    expect(others).toEqual([])
    expect((await app.device().post('/phone-number/verify', { phoneNumber: number, code })).status).toBe(200)
  })
})

describe('a transport of the configuration that fails', () => {
  it('names in its error whom it was to reach; the log does not', async () => {
    const lines: string[] = []
    for (const level of ['info', 'warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)))
    const app = new TestApp({
      ...unlimited,
      emailVerification: { sendOnSignUp: true },
      mail: { transport: ({ to }) => Promise.reject(new Error(`<${to}> is not a verified destination`)) },
      text: { transport: ({ to }) => Promise.reject(new Error(`the number ${to} is not valid`)) },
    })
    await signUp(app, alice)
    await text(app, number)
    vi.restoreAllMocks()
    const log = lines.join('\n')
    expect({ mailError: log.includes('verified destination'), textError: log.includes('is not valid') }).toEqual({
      mailError: true,
      textError: true,
    })
    expect({ address: log.includes(alice.email), number: log.includes(number) }).toEqual({
      address: false,
      number: false,
    })
  })
})

describe('mails', () => {
  it('strangers do not use up those that the own browser asks for; nor does who only claims the address', async () => {
    // One of the three is the mail that verifies the address at sign-up.
    const app = new TestApp({ ...unlimited, messages: { mailsPerRecipient: { max: 3 } } })
    const { email } = alice
    const reset = (device: Device) => device.post('/request-password-reset', { email })
    const squatter = await signUp(app, alice)
    await verifyAddresses()
    const known = await signIn(app, alice)
    await known.post('/sign-out')
    await squatter.post('/sign-out')
    await app.clearMailbox()
    for (let n = 0; n < 3; n++) await reset(app.device())
    await reset(squatter)
    expect(await app.mailbox()).toHaveLength(2)
    for (let n = 0; n < 4; n++) await reset(known)
    expect(await app.mailbox()).toHaveLength(5)
    const bearer = app.device()
    bearer.headers = { authorization: `Bearer ${(await signIn(app, alice)).jar.get('gatehouse.session_token')}` }
    await reset(bearer)
    expect(await app.mailbox()).toHaveLength(6)
  })

  it('20 in an hour to one mailbox that strangers request, all kinds together; its owner still gets each kind', async () => {
    const app = new TestApp({ ...unlimited, emailVerification: { sendOnSignUp: false } })
    await signUp(app, alice)
    await verifyAddresses()
    const known = await signIn(app, alice)
    await known.post('/sign-out')
    const { email } = alice
    const requests: [path: string, body: object][] = [
      ['/sign-in/magic-link', { email }],
      ['/request-password-reset', { email }],
      ['/forget-password/email-otp', { email }],
      ['/email-otp/send-verification-otp', { email, type: 'sign-in' }],
    ]
    await app.clearMailbox()
    for (let n = 0; n < 12; n++) for (const [path, body] of requests) await app.device().post(path, body)
    expect(await app.mailbox()).toHaveLength(20)
    await app.clearMailbox()
    for (const [path, body] of requests) await known.post(path, body)
    expect(await app.mailbox()).toHaveLength(4)
    // Another mailbox has a separate budget.
    await app.device().post('/sign-in/magic-link', { email: 'bob@example.com' })
    expect(await app.mailbox()).toHaveLength(5)
  })

  it('security notices arrive when strangers have used up all other mails, and have a bound of their own', async () => {
    const app = new TestApp({
      ...unlimited,
      messages: { mailsPerRecipient: { max: 1 }, noticesPerRecipient: { max: 3 } },
    })
    const { email } = alice
    for (let n = 0; n < 3; n++) await app.device().post('/sign-in/magic-link', { email })
    const { scope, settle } = app.openScope()
    const notice = {
      kind: securityNotice,
      to: email,
      subject: 'Notice',
      text: 'Notice',
      html: 'Notice',
      madeAt: Date.now(),
    }
    for (let n = 0; n < 5; n++) await sendMailAfter(scope, { ...notice, id: `notice-${n}` })
    await settle()
    const subjects = (await app.mailbox()).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'Notice')).toHaveLength(3)
    expect(subjects).toHaveLength(4)
  })

  it('each kind has a part of them: magic links swallow neither resets nor verifications', async () => {
    const app = new TestApp({ ...unlimited, messages: { mailsPerKind: { max: 2 } } })
    await signUp(app, alice)
    await app.clearMailbox()
    const { email } = alice
    for (let n = 0; n < 4; n++) await app.device().post('/sign-in/magic-link', { email })
    const requests: [path: string, body: object][] = [
      ['/request-password-reset', { email }],
      ['/forget-password/email-otp', { email }],
      ['/send-verification-email', { email }],
      ['/email-otp/send-verification-otp', { email, type: 'sign-in' }],
    ]
    for (const [path, body] of requests) await app.device().post(path, body)
    const subjects = (await app.mailbox()).map(({ subject }) => subject)
    expect(subjects.sort()).toEqual([
      'Confirm your email for Gatehouse',
      'Reset your password for Gatehouse',
      'Sign in to Gatehouse',
      'Sign in to Gatehouse',
      'Your code to reset your password for Gatehouse',
      'Your code to sign in to Gatehouse',
    ])
  })
})
