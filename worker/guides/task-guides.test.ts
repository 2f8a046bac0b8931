import { afterEach, describe, expect, it, vi } from 'vitest'
import { providers } from '../features/social/providers/providers.ts'
import { mergeOptions } from '../kit/options.ts'
import { deliverAll, installProvider, withBilling } from '../testing/billing.ts'
import { origin, TestApp } from '../testing/harness.ts'
import { webhookSecret } from '../testing/outside/webhook-receiver.ts'
import { alice, signUp } from '../testing/people.ts'
import { idOf } from '../testing/states.ts'
import { config as administration } from './admin.md#1.ts'
import { config as keys } from './api-keys.md#1.ts'
import { config as billing } from './billing.md#1.ts'
import * as freeTasks from './billing.md#2.ts'
import { config as emailAndPassword } from './email-and-password.md#1.ts'
import { config as previewsOfProduct } from './environments.md#1.ts'
import { config as previewsOfGatehouse } from './environments.md#2.ts'
import { config as genericOAuth } from './generic-oauth.md#1.ts'
import { config as withoutDiscovery } from './generic-oauth.md#2.ts'
import { config as linksAndCodes } from './magic-links-and-codes.md#1.ts'
import { config as trusted } from './oauth-client.md#1.ts'
import * as printed from './oauth-client.md#2.ts'
import { config as organizations } from './organizations.md#1.ts'
import { config as passkeys } from './passkeys.md#1.ts'
import { config as phone } from './phone.md#1.ts'
import { config as roles } from './roles-and-permissions.md#1.ts'
import social from './social-sign-in.md?raw'
import { config as socialSignIn } from './social-sign-in.md#1.ts'
import { config as twoFactor } from './two-factor.md#1.ts'
import { config as webhooks } from './webhooks.md#1.ts'

const configurations = {
  ...{ administration, keys, billing, emailAndPassword, previewsOfProduct, previewsOfGatehouse, genericOAuth },
  ...{
    withoutDiscovery,
    linksAndCodes,
    trusted,
    organizations,
    passkeys,
    phone,
    roles,
    socialSignIn,
    twoFactor,
    webhooks,
  },
}

const secrets = { POLAR_ACCESS_TOKEN: 'token', WEBHOOK_SECRET_CRM: webhookSecret('c') } as object

describe('the configurations of the guides to tasks', () => {
  it.each(Object.entries(configurations))('%s: starts', async (_, config) => {
    const answer = await new TestApp(config, secrets).device().get('/config')
    expect(answer.status).toBe(200)
  })

  it('have the effect that the text says', async () => {
    const weak = await new TestApp(emailAndPassword)
      .device()
      .post('/sign-up/email', { ...alice, password: 'password123' })
    expect(weak.body.code).toBe('PASSWORD_TOO_COMMON')
    const shown = (await new TestApp(genericOAuth, { ACME_ID_CLIENT_ID: 'id' } as object).device().get('/config')).body
    expect(JSON.stringify(shown)).toContain('Acme ID')
    const owner = await signUp(new TestApp(roles), alice)
    await owner.post('/organization/create', { name: 'Acme', slug: 'acme' })
    const may = async (permissions: object) =>
      (await owner.post('/organization/has-permission', { permissions })).body.success
    expect([
      await may({ invoice: ['pay'] }),
      await may({ organization: ['delete'] }),
      await may({ invoice: ['burn'] }),
    ]).toEqual([true, true, false])
  })
})

describe('the guide to social sign-in', () => {
  it('has a row with the default scopes and a section for each provider', () => {
    const rows = [...social.matchAll(/^\| `(\w+)` \| (.+?) \| .+ \|$/gm)].map(([, id, scopes]) => [
      id,
      [...scopes!.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope),
    ])
    expect(rows).toEqual(Object.values(providers).map(({ id, scopes }) => [id, scopes]))
    const sections = [...social.split('## Consoles')[1]!.matchAll(/^### (.+)$/gm)].map(([, name]) => name!)
    expect(sections.sort()).toEqual(
      Object.values(providers)
        .map(({ name }) => name)
        .sort(),
    )
  })

  it('names the providers without a verified address, and those without an address', () => {
    const row = (id: string) => new RegExp(`^\\| \`${id}\` \\| .+? \\| (.+) \\|$`, 'm').exec(social)![1]
    for (const { id, withoutEmail } of Object.values(providers)) {
      expect({ id, none: row(id) === 'no address' }).toEqual({ id, none: withoutEmail === true })
    }
  })
})

describe('the application of the guide to Sign in with Acme', () => {
  const { start, finish } = printed as unknown as {
    start(app: object): Promise<{ url: string; state: string; verifier: string }>
    finish(app: object, called: URL, kept: object): Promise<{ sub: string; email: string } | null>
  }

  it('gets the user, and null for another state', async () => {
    const app = new TestApp(mergeOptions(trusted, { rateLimit: { enabled: false } }))
    const device = await signUp(app, alice)
    const { user } = (await device.get('/get-session')).body
    const application = {
      issuer: origin,
      clientId: 'forum',
      clientSecret: 'at-least-16-random-characters',
      redirectUri: 'https://forum.example.com/callback',
      async fetch(url: string, init?: RequestInit) {
        const { status, body } = await app.fetch(new Request(url, init))
        return Response.json(body, { status })
      },
    }
    const begun = await start(application)
    const { pathname, searchParams } = new URL(begun.url)
    expect(pathname).toBe('/api/auth/oauth2/authorize')
    const { status, headers } = await device.get('/oauth2/authorize', { query: Object.fromEntries(searchParams) })
    expect(status).toBe(302)
    const called = new URL(headers.get('location')!)
    expect(called.origin + called.pathname).toBe(application.redirectUri)
    expect(await finish(application, called, { ...begun, state: 'other' })).toBeNull()
    expect(await finish(application, called, begun)).toMatchObject({ sub: user.id, email: alice.email })
    // A code is good for one use.
    expect(await finish(application, called, begun)).toBeNull()
  })
})

describe('the limit of the guide to billing', () => {
  afterEach(() => vi.restoreAllMocks())
  const { mustBuy } = freeTasks as unknown as {
    mustBuy(gatehouse: object, userId: string, tasks: number): Promise<boolean>
  }

  it('is ten tasks, lifted by a purchase and back at its end', async () => {
    const provider = installProvider()
    const app = new TestApp(withBilling({ onSignUp: 'outbox' }))
    const device = await signUp(app, alice)
    const userId = await idOf(alice.email)
    const ask = (tasks: number) => mustBuy(app.serverApi(), userId, tasks)
    expect([await ask(9), await ask(10)]).toEqual([false, true])
    const checkout = (await device.post('/checkout', { slug: 'pro' })).body.url.split('/').at(-1)
    const { subscription_id } = provider.pay(checkout)
    await deliverAll(app, provider)
    expect([await ask(9), await ask(10)]).toEqual([false, false])
    provider.cancel(subscription_id!)
    await deliverAll(app, provider)
    expect([await ask(9), await ask(10)]).toEqual([false, true])
  })
})
