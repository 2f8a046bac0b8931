import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { updateUsers } from '../../testing/states.ts'
import type { MailData, MailTemplates, TextTemplates } from './templates.ts'

const unlimited = { rateLimit: { enabled: false } }

let log: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** The mail for a forgotten password, with a template. */
async function resetMail(template: unknown, person = alice, language = 'en') {
  const templates = { resetPassword: template } as MailTemplates
  const app = new TestApp({ ...unlimited, mail: { templates } })
  await signUp(app, { ...person, name: alice.name })
  // Names that were stored by an earlier version.
  await updateUsers({ name: person.name })
  await app.clearMailbox()
  const headers = { 'accept-language': language }
  await app.device().post('/request-password-reset', { email: person.email }, { headers })
  const [mail, ...more] = await app.mailbox()
  expect(more).toEqual([])
  return mail!
}

describe('a template of the configuration', () => {
  it('receives the data of the mail, in its reader’s language', async () => {
    const told: MailData['resetPassword'][] = []
    const { text } = await resetMail((data: MailData['resetPassword']) => void told.push(data), alice, 'de')
    expect(told).toEqual([
      {
        language: 'de',
        appName: 'Gatehouse',
        email: alice.email,
        name: alice.name,
        url: expect.stringContaining('/api/auth/reset-password/'),
        expiresIn: 3600,
        lifetime: '1 Stunde',
      },
    ])
    // It returned nothing: the default mail is sent.
    expect(text).toContain('jemand möchte das Passwort deines Kontos zurücksetzen.')
  })

  it('changes the texts that it names, and no others; all of it is escaped, the link stays', async () => {
    const { subject, text, html, links } = await resetMail(({ name, lifetime }: MailData['resetPassword']) => ({
      subject: `A new password, ${name}?`,
      paragraphs: ['Hi <b>there</b>.', `You have ${lifetime}.`],
    }))
    expect(subject).toBe(`A new password, ${alice.name}?`)
    expect(text).toContain('Hi <b>there</b>.\n\nYou have 1 hour.')
    expect(html).toContain('Hi &lt;b&gt;there&lt;/b&gt;.')
    expect(html).toContain('class="button"')
    expect(text).toContain('Choose a new password:\nhttp://localhost:8787/api/auth/reset-password/')
    expect(links[0]).toContain('/api/auth/reset-password/')
  })

  it('may lay out the whole mail', async () => {
    const whole = { subject: 'S', text: 'T', html: '<p>H</p>' }
    expect(await resetMail(() => whole)).toMatchObject(whole)
  })

  it('gets names that are plain words on one line', async () => {
    const name = 'Eve\r\nBcc: x@evil.example https://evil.example/x'
    const { subject } = await resetMail(({ name: called }: MailData['resetPassword']) => ({ subject: called }), {
      ...alice,
      name,
    })
    expect(subject).toBe('Eve Bcc: x@ evil. example https: / /evil. example/x')
  })

  it.each([
    ['throws', () => Promise.reject.call(null)],
    [
      'throws an error',
      () => {
        throw new Error('out of words')
      },
    ],
    ['answers a promise', async () => ({ subject: 'late' })],
    ['answers a text', () => 'Hello'],
    ['answers null', () => null],
    ['leaves parts of a whole mail out', () => ({ subject: 'S', html: '<p>H</p>' })],
    ['returns an unknown property', () => ({ titel: 'S' })],
    ['says nothing at all', () => ({ subject: ' ' })],
    ['is of wrong types', () => ({ paragraphs: 'one' })],
  ])('that %s loses no mail: ours is sent, and the log says why', async (_what, template) => {
    const { subject, links } = await resetMail(template)
    expect(subject).toBe('Reset your password for Gatehouse')
    expect(links[0]).toContain('/reset-password/')
    expect(log.mock.calls.join()).toContain('mail.templates.resetPassword')
    expect(log.mock.calls.join()).not.toContain(alice.email)
  })

  it('for an unknown mail stops the start', () => {
    expect(() => new TestApp({ mail: { templates: { resetPasword: () => undefined } as MailTemplates } })).toThrow(
      /mail\.templates\.resetPasword: .*did you mean mail\.templates\.resetPassword\?/,
    )
    expect(() => new TestApp({ mail: { templates: { magicLink: 'Hello' as never } } })).toThrow(
      /mail\.templates\.magicLink: must be a function/,
    )
  })

  it('words a text message, whose last line stays ours', async () => {
    const text = (verifyPhone: unknown) =>
      new TestApp({
        ...unlimited,
        phoneNumber: { signUpOnVerification: true },
        text: { templates: { verifyPhone } as TextTemplates },
      })
    const message = async (template: unknown) => {
      const app = text(template)
      await app.device().post('/phone-number/send-otp', { phoneNumber: '+15550001111' })
      return (await app.mailbox())[0]!.text
    }
    expect(await message(({ code, lifetime }: any) => `Acme: ${code}, ${lifetime}`)).toMatch(
      /^Acme: (\d{6}), 5 minutes\n\n@localhost #\1$/,
    )
    expect(await message(() => 42)).toMatch(/is your Gatehouse code/)
    expect(log.mock.calls.join()).toContain('text.templates.verifyPhone')
  })
})
