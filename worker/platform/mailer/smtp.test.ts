import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import type { ReceivedMail } from '../../testing/smtp-server.ts'
import type { Env } from '../env.ts'
import type { MailOptions } from './mail.ts'
import { mailer } from './mailer.ts'

const ports = inject('smtp')
const inbox = `http://127.0.0.1:${ports.inbox}/`
const received = async () => (await fetch(inbox)).json<ReceivedMail[]>()
const from = { address: 'accounts@gatehouse.example', name: 'Gatehouse' }
const mail = { id: 'mail-1', to: 'ada@people.example', subject: 'Verify', text: 'Hello\n.\nAda', html: '<p>Hello</p>' }

type Server = Exclude<keyof typeof ports, 'inbox'>

const sendTo = (server: Server, env: Partial<Env> = {}, options: Partial<MailOptions> = { smtp: { tls: 'none' } }) =>
  mailer({ transport: 'smtp', from, ...options }, {
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(ports[server]),
    ...env,
  } as Env)

/** The decoded parts of a message, by type. */
function partsOf(raw: string): Record<string, string> {
  const parts: Record<string, string> = {}
  for (const [, type, body] of raw.matchAll(/Content-Type: (text\/\w+);[^\n]*\r\n[^\n]*\r\n\r\n([\s\S]*?)\r\n--/g)) {
    parts[type!] = Buffer.from(body!, 'base64').toString()
  }
  return parts
}

beforeEach(async () => {
  await fetch(inbox, { method: 'DELETE' })
})

describe('delivery', () => {
  test('hands a mail with both parts to a server that wants no password', async () => {
    await sendTo('open')(mail)
    const [one, ...more] = await received()
    expect(more).toEqual([])
    expect(one).toMatchObject({ server: 'open', user: null, from: from.address, to: [mail.to] })
    expect(one!.raw).toContain('From: Gatehouse <accounts@gatehouse.example>\r\nTo: ada@people.example\r\n')
    expect(one!.raw).toContain('\r\nSubject: Verify\r\n')
    expect(partsOf(one!.raw)).toEqual({ 'text/plain': 'Hello\r\n.\r\nAda', 'text/html': '<p>Hello</p>' })
  })

  test.each(['plain', 'login'] as const)('authenticates with AUTH %s', async (server) => {
    await sendTo(server, { SMTP_USER: 'gatehouse', SMTP_PASSWORD: 'correct' })(mail)
    expect(await received()).toMatchObject([{ server, user: 'gatehouse', to: [mail.to] }])
  })

  test('mails that are sent side by side all arrive', async () => {
    const send = sendTo('open')
    await Promise.all([1, 2, 3, 4].map((n) => send({ ...mail, to: `person${n}@people.example` })))
    expect((await received()).flatMap(({ to }) => to).sort()).toEqual(
      [1, 2, 3, 4].map((n) => `person${n}@people.example`),
    )
  })
})

describe('failure', () => {
  test('a wrong password says which variables to check', async () => {
    const sent = sendTo('plain', { SMTP_USER: 'gatehouse', SMTP_PASSWORD: 'wrong' })(mail)
    await expect(sent).rejects.toThrow(/535 .*check SMTP_USER and SMTP_PASSWORD/)
    expect(await received()).toEqual([])
  })

  test('the error of a missing password is the answer of the server', async () => {
    await expect(sendTo('plain')(mail)).rejects.toThrow(/530 /)
  })

  test('a refused recipient is not named in the message, which goes to the log', async () => {
    const refusal = await sendTo('open')({ ...mail, to: 'unknown@people.example' }).catch((thrown: Error) => thrown)
    expect(refusal).toBeInstanceOf(Error)
    expect((refusal as Error).message).toMatch(/550 .*does not exist/)
    expect((refusal as Error).message).not.toContain('unknown@people.example')
  })

  test('a server that hangs up in the middle is an error at once', async () => {
    await expect(sendTo('rude')(mail)).rejects.toThrow(/the server hung up/)
  })

  test('the error of a closed port names the address', async () => {
    await expect(sendTo('open', { SMTP_PORT: '1' })(mail)).rejects.toThrow(/127\.0\.0\.1:1 did not take a mail/)
  })

  test.each([
    ['SMTP_HOST', { SMTP_HOST: '' }],
    ['SMTP_PORT', { SMTP_PORT: 'smtp' }],
  ])('an invalid %s is named', async (name, env) => {
    await expect(sendTo('open', env)(mail)).rejects.toThrow(name)
  })
})

describe('encryption', () => {
  const secret = { SMTP_USER: 'gatehouse', SMTP_PASSWORD: 'correct' }

  test('is required by default: without STARTTLS neither password nor mail is sent', async () => {
    await expect(sendTo('plain', secret, {})(mail)).rejects.toThrow(/offers no STARTTLS/)
    expect(await received()).toEqual([])
  })

  test('a certificate that is not trusted ends implicit TLS', async () => {
    await expect(sendTo('untrusted', secret, { smtp: { tls: 'implicit' } })(mail)).rejects.toThrow(
      /did not take a mail/,
    )
    expect(await received()).toEqual([])
  })

  test('a certificate that is not trusted ends STARTTLS', async () => {
    await expect(sendTo('startTls', secret, { smtp: { tls: 'starttls' } })(mail)).rejects.toThrow(/did not take a mail/)
    expect(await received()).toEqual([])
  })
})

describe('header injection', () => {
  const attack = 'x\r\nBcc: victim@people.example\r\n\r\ninjected'

  test.each([
    ['subject', { subject: attack }, {}],
    ['subject with lone line breaks', { subject: attack.replaceAll('\r', '') }, {}],
    ['sender name', {}, { from: { ...from, name: attack } }],
    ['sender name with quotes', {}, { from: { ...from, name: `"${attack}" <a@b.example>` } }],
  ])('a line break in the %s stays in its line', async (_what, changes, options) => {
    await sendTo('open', {}, { smtp: { tls: 'none' }, ...options })({ ...mail, ...changes })
    const [one] = await received()
    expect(one!.to).toEqual([mail.to])
    const headers = one!.raw.split('\r\n\r\n')[0]!.replace(/\r\n /g, ' ')
    expect(headers.split('\r\n').map((line) => line.split(':')[0])).toEqual([
      'From',
      'To',
      'Subject',
      'Date',
      'Message-ID',
      'Auto-Submitted',
      'MIME-Version',
      'Content-Type',
    ])
    expect(partsOf(one!.raw)['text/plain']).toBe('Hello\r\n.\r\nAda')
  })

  test.each([
    'ada@people.example\r\nRCPT TO:<victim@people.example>',
    'ada@people.example\nBcc: victim@people.example',
    'ada@people.example>\r\nDATA',
    'ada@people.example, victim@people.example',
    '<ada@people.example>',
    'Ada <ada@people.example>',
    'ada @people.example',
    'ada@people.example\u0000',
    'ådå@people.example',
    'ada@',
    '',
  ])('the recipient %j is refused before any connection', async (to) => {
    await expect(sendTo('rude')({ ...mail, to })).rejects.toThrow(/recipient .*not sent/)
  })

  test('an invalid sender address is refused by its setting', async () => {
    const options = { smtp: { tls: 'none' as const }, from: { address: 'a@b.example>\r\nRSET', name: '' } }
    await expect(sendTo('rude', {}, options)(mail)).rejects.toThrow(/mail\.from\.address/)
  })
})
