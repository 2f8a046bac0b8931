import { describe, expect, it } from 'vitest'
import { codeText } from '../features/phone-number/phone-number.texts.ts'
import type { Scope } from '../identity/scope.ts'
import { directionOf, type Language, languages } from '../kit/language.ts'
import { textsIn } from '../languages/texts.ts'
import { layoutTexts } from '../platform/mailer/layout.ts'
import { everyMail } from '../rpc/every-mail.ts'
import { TestApp } from './harness.ts'
import { plainBrand } from './mails.ts'
import { alice } from './people.ts'
import { everything } from './sample.ts'

const brand = {
  ...plainBrand,
  name: 'Acme',
  logo: { light: 'https://acme.example/logo.png?a=1&b=2', dark: 'https://acme.example/logo.png?a=1&b=2' },
  accent: { light: '#7a1fa2', dark: '#e1b3f5' },
  terms: 'https://acme.example/terms',
  privacy: 'https://acme.example/privacy',
  support: 'mailto:help@acme.example',
}

const tags: Language[] = everything ? (Object.keys(languages) as Language[]) : ['en', 'de', 'ar']
const greeting = (language: Language, name?: string) => {
  const { helloPerson, helloAll } = textsIn(layoutTexts, language, brand.texts)
  return name ? helloPerson.replace('{name}', name) : helloAll
}
/** Mails without a name: the address may belong to someone else, or the name is unknown. */
const nameless = ['address at a provider', 'new address', 'account exists', 'invitation']

const mailsIn = new Map(
  await Promise.all(tags.map(async (language) => [language, await everyMail(language, brand)] as const)),
)

describe.each(tags)('mails in %s', (language) => {
  const mails = Object.entries(mailsIn.get(language)!)
  const others = mailsIn.get(language === 'en' ? 'de' : 'en')!

  it.each(mails)('%s: its language, greeting, brand and small print', (name, { subject, text, html }) => {
    expect(html).toContain(`<html lang="${language}" dir="`)
    expect(html).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object|>false</)
    expect(text).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object/)
    expect(text.split('\n')).toContain(greeting(language, nameless.includes(name) ? undefined : 'Ada Lovelace'))
    expect(html).toContain('src="https://acme.example/logo.png?a=1&amp;b=2"')
    if (html.includes('class="button"')) expect(html).toContain('bgcolor="#7a1fa2"')
    for (const page of [brand.terms, brand.privacy, brand.support]) {
      expect(html).toContain(`href="${page}"`)
      expect(text).toContain(page)
    }
    // A mail in one language contains no line of the other.
    const other = others[name]!
    expect(subject).not.toBe(other.subject)
    const shared = text.split('\n').filter((line) => line && other.text.split('\n').includes(line))
    expect(shared.filter((line) => !/^(?:https:\S+|\d+|-- |Acme|(?:Support|Privacy): \S+)$/.test(line))).toEqual([])
  })

  it('no address is broken, and from right to left each is isolated', () => {
    const texts = mails.flatMap(([, { subject, text }]) => [subject, text]).join('\n')
    const all = [...texts.matchAll(/people\.\s?example/g)]
    expect(all.length).toBeGreaterThan(3)
    expect(all.filter(([found]) => found !== 'people.example')).toEqual([])
    const alone = texts
      .replace(/\u2068[^\u2068\u2069]*\u2069/g, '')
      .split('\n')
      .filter((line) => line.includes('people.example'))
    expect(alone.length === 0).toBe(directionOf(language) === 'rtl')
    if (directionOf(language) === 'rtl') expect(alone).toEqual([])
  })

  it.each(mails)('%s: one line of subject, one button at most, its address once more to copy', (_name, mail) => {
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.subject.length).toBeLessThan(78)
    const buttons = mail.html.match(/class="button"/g)?.length ?? 0
    expect(buttons).toBeLessThanOrEqual(1)
    const ownLinks = mail.html.match(/<a href="https:\/\/accounts\.example\.com[^"]*"/g) ?? []
    expect(ownLinks).toHaveLength(2 * buttons)
    if (buttons) expect(mail.text).toMatch(/:\nhttps:\/\/accounts\.example\.com\S+\n/)
  })
})

it.each(tags)('names of users and organizations stay text, in %s', async (language) => {
  const evil = `"><script>alert(1)</script>\r\nBcc: x@evil.example https://evil.example/`
  for (const { subject, text, html } of Object.values(
    await everyMail(language, plainBrand, { person: evil, organization: evil }),
  )) {
    expect(subject).not.toMatch(/[\r\n]|:\/\//)
    expect(html).not.toMatch(/<script|href="https:\/\/evil/)
    expect(text).not.toMatch(/https:\/\/evil|^Bcc/m)
  }
})

it('times are written out in the language of the mail', async () => {
  expect((await everyMail('en', plainBrand)).invitation!.text).toContain('valid until 3 December 2026 at 15:30 UTC')
  expect((await everyMail('de', plainBrand)).invitation!.text).toContain('gilt bis 3. Dezember 2026 um 15:30 Uhr UTC')
  expect((await everyMail('en', plainBrand))['password reset']!.text).toContain('valid for 1 hour.')
  expect((await everyMail('de', plainBrand))['sign-in code']!.text).toContain('gilt 5 Minuten.')
})

describe('the language of a request', () => {
  const unlimited = { rateLimit: { enabled: false }, phoneNumber: { signUpOnVerification: true } }
  const german = { headers: { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' } }

  it('is that of the mails that it sends, now and later, and of its codes', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    await device.post('/sign-up/email', alice, german)
    await device.post('/sign-in/magic-link', { email: alice.email }, german)
    await device.post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' }, german)
    await device.post('/sign-in/magic-link', { email: alice.email }, { headers: { 'accept-language': 'en' } })
    const mails = await app.mailbox()
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Anmelden bei Gatehouse',
      'Bestätige deine E-Mail-Adresse für Gatehouse',
      'Dein Code zum Anmelden bei Gatehouse',
      'Sign in to Gatehouse',
    ])
    for (const { subject, html, text } of mails) {
      const language = subject.startsWith('Sign') ? 'en' : 'de'
      expect(html).toContain(`<html lang="${language}" dir="`)
      expect(text).toMatch(language === 'de' ? /^Hallo \S+,$/m : /^Hello \S+,$/m)
    }
    expect(mails.find(({ subject }) => subject.startsWith('Dein Code'))!.codes).toHaveLength(1)
  })

  it('is that of the text messages, each with its code in the last line', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    await device.post('/phone-number/send-otp', { phoneNumber: '+15550001111' }, german)
    await device.post('/phone-number/send-otp', { phoneNumber: '+15550002222' })
    const [english, inGerman] = await app.mailbox()
    expect(english!.text).toMatch(
      /^\d{6} is your Gatehouse code\. It is valid for 5 minutes\. .*\n\n@localhost #\d{6}$/,
    )
    expect(inGerman!.text).toMatch(/^\d{6} ist dein Code für Gatehouse\. Er gilt 5 Minuten\. .*\n\n@localhost #\d{6}$/)
    expect({ english: english!.codes.length, german: inGerman!.codes.length }).toEqual({ english: 1, german: 1 })
  })
})

describe('text messages', () => {
  const scope = {
    shared: { brand: plainBrand },
    language: 'en',
    request: { language: null },
    options: {},
    settings: { baseUrl: 'https://accounts.example.com' },
  } as unknown as Scope

  const texts = (language: Language) =>
    Promise.all(
      (['verify', 'reset'] as const).map((purpose) =>
        codeText(
          { ...scope, request: { ...scope.request, language } },
          purpose,
          { language },
          { code: '418293', expiresIn: 300 },
        ),
      ),
    )
  const others: Language[] = ['ja', 'zh-CN', 'ar']

  it.each(tags.filter((tag) => !others.includes(tag)))('fit into one segment, in %s', async (language) => {
    for (const text of await texts(language)) {
      // The GSM 7-bit characters in use (3GPP TS 23.038); any other character halves the segment.
      expect(text).toMatch(/^[A-Za-z0-9 \n.,:;'@#äöüÄÖÜßàèéìòùñÇ]{1,160}$/)
    }
  })

  it.each(others)('fit into two segments of UCS-2 (67 characters each), in %s', async (language) => {
    for (const text of await texts(language)) expect(text.length).toBeLessThanOrEqual(134)
  })
})
