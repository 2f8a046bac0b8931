import { html } from 'hono/html'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import type { TestApp } from '../testing/harness.ts'
import { alice, bob, InitApp } from '../testing/init-app.ts'
import { signUp } from '../testing/people.ts'
import { count } from '../testing/rows.ts'
import { verifyAddresses } from '../testing/states.ts'
import guide from './customise-mails.md?raw'
import source from './customise-mails.test.ts?raw'

/** The examples of the guide; the first test compares them. */

const colours: Config = {
  brand: {
    accent: { light: '#7a1fa2', dark: '#e1b3f5' },
    logo: { light: 'https://acme.example/logo.png', dark: 'https://acme.example/logo-dark.png' },
    favicon: 'https://acme.example/icon.svg',
    terms: 'https://acme.example/terms',
    privacy: 'https://acme.example/privacy',
    support: 'mailto:help@acme.example',
  },
}

const words: Config = {
  mail: {
    from: { address: 'accounts@acme.example', name: 'Acme' },
    templates: {
      verifyEmail: ({ appName }) => ({ subject: `Welcome to ${appName}! One click to go` }),
      resetPassword: ({ language, name, lifetime }) =>
        language === 'de'
          ? undefined // keeps the default German text
          : {
              subject: 'Your new password',
              heading: `Forgot it, ${name}? No problem.`,
              paragraphs: ['Choose a new password.', `The link is good for ${lifetime}.`],
              button: 'Choose a password',
              note: 'Not you? Then ignore this email.',
            },
    },
  },
}

const whole: Config = {
  mail: {
    templates: {
      magicLink: ({ url, name }) => ({
        subject: 'Sign in to Acme',
        text: `Hello ${name},\n\n${url}\n`,
        html: String(html`<p>Hello ${name},</p><p><a href="${url}">Sign in</a></p>`),
      }),
    },
  },
}

const messages: Config = {
  text: {
    templates: { verifyPhone: ({ code, lifetime }) => `Acme: ${code} (good for ${lifetime})` },
  },
}

const pages: Config = {
  trustedOrigins: ['https://app.acme.example'],
  pages: {
    acceptInvitation: 'https://app.acme.example/invite', // ?id=
    resetPassword: 'https://app.acme.example/new-password', // ?token=, or ?error= if the link is invalid
    verifyEmail: 'https://app.acme.example/verified', // nothing, or ?error=
    magicLink: 'https://app.acme.example/home', // nothing, or ?error=
    error: 'https://app.acme.example/oops', // ?error=
  },
}

const transport: Config = {
  mail: {
    transport: async ({ id, from, to, subject, text, html }, env) => {
      const answer = await fetch('https://mail.acme.example/send', {
        method: 'POST',
        headers: { authorization: `Bearer ${env.ACME_MAIL_KEY}`, 'idempotency-key': id },
        body: JSON.stringify({ from: from.address, to, subject, text, html }),
      })
      if (answer.status === 404) throw Object.assign(new Error('no such mailbox'), { name: 'Undeliverable' })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
    },
  },
}

const unlimited: Config = { rateLimit: { enabled: false }, phoneNumber: { signUpOnVerification: true } }

/** @param budgets false where a stored mail exceeds the budget of its endpoint, because the response waits in development */
const appWith = (config: Config, environment = {}, budgets = true) =>
  new InitApp({ ...unlimited, ...config }, environment, budgets)

const newest = async (app: TestApp) => (await app.mailbox())[0]!

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the guide to mails', () => {
  it('prints the code that runs here', () => {
    const lines = (text: string) => text.split('\n').map((line) => line.trim())
    const ours = lines(source).join('\n')
    const blocks = [...guide.matchAll(/```ts\n([\s\S]+?)```/g)].map(([, block]) => lines(block!.trim()).join('\n'))
    expect(blocks).toHaveLength(6)
    for (const block of blocks) expect(ours).toContain(block)
  })

  it('a colour appears on screens and in mails', async () => {
    const app = appWith(colours)
    expect((await app.device().get('/brand.css')).body).toContain('--brand-fill: light-dark(#7a1fa2, #')
    expect((await app.device().get('/favicon')).headers.get('location')).toBe('https://acme.example/icon.svg')
    await signUp(app, alice)
    const { html: mail } = await newest(app)
    expect(mail).toContain('bgcolor="#7a1fa2"')
    expect(mail.match(/<img src="[^"]+" alt="" class="by-(?:day|night)"/g)).toHaveLength(2)
    expect(mail).toContain('href="mailto:help@acme.example"')
  })

  it('a template changes one mail in one language', async () => {
    const app = appWith(words)
    await signUp(app, alice)
    expect((await newest(app)).subject).toBe('Welcome to Acme! One click to go')
    const ask = async (language: string) => {
      const headers = { 'accept-language': language }
      await app.device().post('/request-password-reset', { email: alice.email }, { headers })
      return newest(app)
    }
    expect(await ask('en')).toMatchObject({
      subject: 'Your new password',
      text: expect.stringContaining(`Forgot it, ${alice.name}? No problem.`),
    })
    expect((await ask('de')).subject).toBe('Setze dein Passwort für Acme zurück')
  })

  it('a complete mail of the product, with escaped names; a text message', async () => {
    const app = appWith(whole)
    await signUp(app, { ...alice, name: 'A <b>' })
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    const mail = await newest(app)
    expect(mail.subject).toBe('Sign in to Acme')
    expect(mail.html).toContain('<p>Hello A &lt;b&gt;,</p>')
    const texting = appWith(messages)
    await texting.device().post('/phone-number/send-otp', { phoneNumber: '+15550001111' })
    // The harness takes what begins with the name of the product for a notice.
    expect((await texting.notices())[0]!.text).toMatch(/^Acme: \d{6} \(good for 5 minutes\)\n\n@/)
  })

  it('pages: links in mails lead to them', async () => {
    const app = appWith(pages)
    const owner = await signUp(app, alice)
    const { body } = await owner.post('/organization/create', { name: 'Acme', slug: 'acme' })
    await verifyAddresses()
    await owner.post('/organization/invite-member', { email: bob.email, role: 'member', organizationId: body.id })
    expect(await app.linkTo(bob.email)).toMatch(/^https:\/\/app\.acme\.example\/invite\?id=/)
  })

  it('a transport: gets its key; a failed mail is stored, an undeliverable one is dropped', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const app = appWith(transport, { ACME_MAIL_KEY: 'key' }, false)
    let status = 200
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('', { status }))
    const waiting = () => count('jobs', { state: 'pending' })
    await signUp(app, alice)
    const [url, init] = fetched.mock.calls[0]! as [string, RequestInit]
    expect(url).toBe('https://mail.acme.example/send')
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer key')
    expect(await waiting()).toBe(0)
    status = 404
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    expect(await waiting()).toBe(0)
    status = 500
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    expect(await waiting()).toBe(1)
  })
})
