import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Env } from '../env.ts'
import { texter } from '../texter/texter.ts'
import {
  betweenDeletions,
  clearMailbox,
  codesOf,
  keptMessages,
  linksOf,
  readMailbox,
  sendToMailbox,
} from './mailbox.ts'
import { mailer } from './mailer.ts'

const bindings = env as unknown as Env
const send = mailer({ transport: 'mailbox', from: { address: 'a@b.example', name: 'A' } }, bindings)

afterEach(() => {
  vi.useRealTimers()
})

describe('the mailbox', () => {
  test('keeps the newest thousand messages: a server under load does not store a day of them', async () => {
    const sent = keptMessages + 2 * betweenDeletions
    for (let n = 0; n < sent; n++) await sendToMailbox(bindings.KV, { channel: 'email', to: `to-${n}`, text: 'T' })
    const first = await bindings.KV.list({ prefix: 'mailbox:', limit: keptMessages })
    const rest = first.list_complete ? [] : (await bindings.KV.list({ prefix: 'mailbox:', cursor: first.cursor })).keys
    expect(first.keys).toHaveLength(keptMessages)
    expect(rest.length).toBeLessThan(betweenDeletions)
    const shown = (await readMailbox(bindings.KV)).map(({ to }) => to)
    expect(shown.slice(0, 2)).toEqual([`to-${sent - 1}`, `to-${sent - 2}`])
    await clearMailbox(bindings.KV)
  })

  test('keeps mails and text messages, newest first, in the documented format', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') })
    await send({
      id: 'mail-1',
      to: 'ada@people.example',
      subject: 'Verify',
      text: 'Open https://x.example/v?a=1&b=2.',
      html: '<a href="https://x.example/v?a=1&amp;b=2">Verify</a>',
    })
    vi.setSystemTime(new Date('2026-11-21T10:00:01Z'))
    await texter({ transport: 'mailbox' }, bindings)({ to: '+15550001111', text: 'Your code is 123456.' })
    expect(await readMailbox(bindings.KV)).toEqual([
      {
        id: expect.stringMatching(/^\w{32}$/),
        channel: 'sms',
        to: '+15550001111',
        subject: '',
        text: 'Your code is 123456.',
        html: '',
        sentAt: '2026-11-21T10:00:01.000Z',
        links: [],
        codes: ['123456'],
      },
      {
        id: expect.stringMatching(/^\w{32}$/),
        channel: 'email',
        to: 'ada@people.example',
        subject: 'Verify',
        text: 'Open https://x.example/v?a=1&b=2.',
        html: '<a href="https://x.example/v?a=1&amp;b=2">Verify</a>',
        sentAt: '2026-11-21T10:00:00.000Z',
        links: ['https://x.example/v?a=1&b=2'],
        codes: [],
      },
    ])
  })

  test('orders messages of the same moment, shows the newest hundred, and is emptied whole', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') })
    for (let n = 0; n < 105; n++) await sendToMailbox(bindings.KV, { channel: 'sms', to: String(n), text: '' })
    const shown = (await readMailbox(bindings.KV)).map(({ to }) => Number(to))
    expect(shown).toEqual(Array.from({ length: 100 }, (_, n) => 104 - n))
    await clearMailbox(bindings.KV)
    expect(await readMailbox(bindings.KV)).toEqual([])
    expect((await bindings.KV.list({ prefix: 'mailbox:' })).keys).toEqual([])
  })

  test('forgets a message after a day', async () => {
    await sendToMailbox(bindings.KV, { channel: 'sms', to: '1', text: '' })
    const { keys } = await bindings.KV.list({ prefix: 'mailbox:' })
    const left = keys[0]!.expiration! - Date.now() / 1000
    expect(left).toBeGreaterThan(86_300)
    expect(left).toBeLessThanOrEqual(86_401)
  })

  test('a subject with line breaks is kept in one line', async () => {
    await send({ id: 'mail-1', to: 'ada@people.example', subject: 'a\r\nBcc: b@c.example\u2028d', text: '', html: '' })
    expect((await readMailbox(bindings.KV))[0]!.subject).toBe('a Bcc: b@c.example d')
  })
})

describe('linksOf', () => {
  test('finds each address once, decoded, and leaves the sentence its full stop', () => {
    const text = 'See https://a.example/x. Or (http://b.example/y?z=1)'
    const html =
      '<a href="https://a.example/x">1</a> <a href="https://c.example/?q=&quot;&#39;&amp;lt;">2</a> <a href="mailto:a@b.example">3</a>'
    expect(linksOf({ text, html })).toEqual([
      'https://a.example/x',
      'http://b.example/y?z=1',
      'https://c.example/?q="\'&lt;',
    ])
  })

  test('leaves out the pages of the brand below every mail, unless the mail is about one of them', () => {
    const text =
      'Read https://b.example/privacy\n\n-- \nAcme\nTerms: https://b.example/terms\nPrivacy: https://b.example/privacy\n'
    const html = '<a href="https://b.example/terms">Terms</a> <a href="https://a.example/v">Verify</a>'
    expect(linksOf({ text, html })).toEqual(['https://b.example/privacy', 'https://a.example/v'])
  })
})

describe('codesOf', () => {
  test.each([
    ['Your code is 123456.', ['123456']],
    ['Hello\n\n0042\n\nGoodbye', ['0042']],
    ['Code: 123 456 or 123-456', ['123456']],
    ['12345678, not 123456789 and not 123', ['12345678']],
    ['https://x.example/123456?t=654321 then 111222', ['111222']],
    ['Created on November 29, 2026 at 1:44 PM UTC\n\n2026', ['2026']],
    ['Erstellt am 29. November 2026 um 13:44 UTC', []],
    ['call +15550001111 or 1,234,567 or 12.3456', []],
    ['a1234 1234b user1234@x.example 1234@x.example #4321', []],
  ])('%j has %j', (text, codes) => {
    expect(codesOf(text)).toEqual(codes)
  })
})
