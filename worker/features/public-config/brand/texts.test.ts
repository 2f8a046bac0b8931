import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'

const texts = {
  en: { signIn: { title: 'Welcome to {name}' }, 'mail/magicLink': { subject: 'Your key to {appName}' } },
  nl: {
    signIn: { title: 'Inloggen bij {name}', next: 'Doorgaan' },
    'mail/magicLink': { subject: 'Log in bij {appName}' },
    'page/errorSentences': { access_denied: 'U bent gestopt.' },
    security: { title: 'Beveiliging' },
  },
  he: { signIn: { title: 'כניסה אל {name}' } },
}
const changes = { appName: 'Acme', brand: { texts }, rateLimit: { enabled: false } }

const textsInPage = (html: string): unknown => {
  const [, json] = /<script id="texts" type="application\/json">([^<]*)</.exec(html) ?? []
  return json && JSON.parse(json)
}

describe('brand.texts', () => {
  const visit = (app: TestApp, path: string, language: string) =>
    app.device().get<string>(`http://localhost:8787${path}`, { headers: { 'accept-language': language } })

  it('replace texts of mails, and add a language whose missing texts are English', async () => {
    const app = new TestApp(changes)
    const subjects: string[] = []
    for (const [language, email] of [
      ['en', 'a@example.com'],
      ['nl-BE', 'b@example.com'],
      ['de', 'c@example.com'],
    ] as const) {
      await app.device().post('/sign-in/magic-link', { email }, { headers: { 'accept-language': language } })
      const [mail] = await app.mailbox()
      subjects.push(mail!.subject)
      if (email === 'b@example.com') {
        expect(mail!.html).toContain('<html lang="nl" dir="ltr">')
        expect(mail!.text).toContain('for 5 minuten')
      }
    }
    expect(subjects).toEqual(['Your key to Acme', 'Log in bij Acme', expect.not.stringContaining('Your key')])
  })

  it('are in the page of their language, without those of mails, and in its first screen', async () => {
    const app = new TestApp(changes)
    const { body } = await visit(app, '/sign-in', 'nl')
    expect(body).toContain('<html lang="nl" dir="ltr"')
    expect(body).toContain('>Inloggen bij Acme</h1>')
    expect(textsInPage(body)).toEqual({
      languages: ['en', 'nl', 'he'],
      language: 'nl',
      words: {
        signIn: texts.nl.signIn,
        'page/errorSentences': texts.nl['page/errorSentences'],
        security: texts.nl.security,
      },
    })
    expect((await visit(app, '/sign-in', 'he')).body).toContain('<html lang="he" dir="rtl"')
    expect(textsInPage((await visit(app, '/sign-in', 'de')).body)).toMatchObject({ language: 'de', words: {} })
    expect(textsInPage((await visit(new TestApp(), '/sign-in', 'nl')).body)).toBeUndefined()
  })

  it('are in the frame of a signed-in screen', async () => {
    const app = new TestApp(changes)
    const device = app.device()
    await device.post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'a long password' })
    const at = 'http://localhost:8787/account/security'
    const { body } = await device.get<string>(at, { headers: { 'accept-language': 'nl' } })
    expect(body).toContain('>Beveiliging</h1>')
    expect(body).toContain('>Ways to sign in</h2>')
  })

  it('are on pages without scripts', async () => {
    const { body } = await visit(new TestApp(changes), '/api/auth/error?error=access_denied', 'nl')
    expect(body).toContain('U bent gestopt.')
  })

  it('GET /texts returns those of another language; an unknown one has none', async () => {
    const device = new TestApp(changes).device()
    const words = async (language: string) => (await device.get('/texts', { query: { language } })).body
    expect(await words('he')).toEqual(texts.he)
    expect(await words('en')).toEqual({ signIn: texts.en.signIn })
    expect([await words('fr'), await words('constructor')]).toEqual([{}, {}])
  })

  it('a mail in a language that is no longer configured is in English', async () => {
    const dutch = { 'accept-language': 'nl' }
    const before = new TestApp(changes)
    const body = { name: 'Ada', email: 'ada@example.com', password: 'a long password' }
    await before.device().post('/sign-up/email', body, { headers: dutch })
    const after = new TestApp({ rateLimit: { enabled: false } })
    await after.device().post('/sign-in/magic-link', { email: body.email }, { headers: { 'accept-language': '' } })
    expect((await after.mailbox())[0]!.html).toContain('<html lang="en"')
  })

  it.each([
    [{ nederlands_: {} }, 'must be a language such as nl or pt-BR'],
    [{ 'PT-br': {} }, 'must be a language such as nl or pt-BR'],
    [{ nl: { signIn: 'Inloggen' } }, 'must be an object of texts'],
    [{ nl: { signIn: { title: 3 } } }, 'must be an object of texts'],
    [{ nl: { signIn: { title: '' } } }, 'must be an object of texts'],
  ])('refuses %j', (wrong, reason) => {
    expect(() => new TestApp({ brand: { texts: wrong } } as object)).toThrow(reason)
  })

  it('GET /dev/texts names unknown texts and values', async () => {
    const english = { signIn: { title: 'Sign in to {name}', next: 'Continue' } }
    const ASSETS = { fetch: async () => Response.json(english) } as unknown as Fetcher
    const wrong = { nl: { signIn: { titel: 'Inloggen', title: 'Inloggen bij {application}' }, other: { a: 'b' } } }
    const app = new TestApp({ brand: { texts: wrong } }, { ASSETS })
    expect((await app.device().get('/dev/texts')).body).toEqual({
      problems: [
        'nl: signIn.titel does not exist in English',
        'nl: signIn.title has the values application; English has name',
        'nl: other does not exist in English',
      ],
    })
  })
})
