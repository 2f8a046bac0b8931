import { describe, expect, it } from 'vitest'
import { origin, TestApp } from '../testing/harness.ts'
import { alice, bob, signUp } from '../testing/people.ts'
import { verifyAddresses } from '../testing/states.ts'

const app = 'https://app.acme.example'
const trusted = { rateLimit: { enabled: false }, trustedOrigins: [app] }

/** The target of a mailed link. */
const follow = async (tested: TestApp, link: string) =>
  (await tested.device().get(link.replace(origin, ''))).headers.get('location')!

describe('a page of the product’s own', () => {
  it('acceptInvitation: gets the id, from the mail and from the copied link', async () => {
    const tested = new TestApp({ ...trusted, pages: { acceptInvitation: `${app}/invite?from=mail` } })
    const owner = await signUp(tested, alice)
    const { body } = await owner.post('/organization/create', { name: 'Acme', slug: 'acme' })
    const input = { email: bob.email, role: 'member', organizationId: body.id }
    await verifyAddresses()
    const { body: invitation } = await owner.post('/organization/invite-member', input)
    expect(await tested.linkTo(bob.email)).toBe(`${app}/invite?from=mail&id=${invitation.id}`)
    const { body: told } = await tested.device().get('/config')
    expect(told.organization.invitationPage).toBe(`${app}/invite?from=mail`)
  })

  it('members: what mails about members lead to', async () => {
    const tested = new TestApp({ ...trusted, pages: { members: '/team' } })
    const owner = await signUp(tested, alice)
    const member = await signUp(tested, bob)
    const { body } = await owner.post('/organization/create', { name: 'Acme', slug: 'acme' })
    const input = { email: bob.email, role: 'member', organizationId: body.id }
    await verifyAddresses()
    const { body: invitation } = await owner.post('/organization/invite-member', input)
    await member.post('/organization/accept-invitation', { invitationId: invitation.id })
    expect(await tested.linkTo(alice.email)).toBe(`${origin}/team`)
  })

  it('resetPassword: gets the token, or the error of a dead link; what the hosted screen hands on goes along', async () => {
    const tested = new TestApp({ ...trusted, pages: { resetPassword: `${app}/reset#top` } })
    await signUp(tested, alice)
    const ask = async (redirectTo?: string) => {
      await tested.clearMailbox()
      await tested.device().post('/request-password-reset', { email: alice.email, redirectTo })
      return tested.linkTo(alice.email)
    }
    expect(await follow(tested, await ask())).toMatch(/^https:\/\/app\.acme\.example\/reset\?token=\w{24}#top$/)
    expect(await follow(tested, await ask('/reset-password?for=acme'))).toMatch(/\/reset\?for=acme&token=\w+#top$/)
    expect(await follow(tested, await ask('/elsewhere'))).toContain('/elsewhere?token=')
    const dead = (await ask()).replace(/reset-password\/\w+/, 'reset-password/dead')
    expect(await follow(tested, dead)).toBe(`${app}/reset?error=INVALID_TOKEN#top`)
  })

  it('verifyEmail and magicLink: where their links end, with an error where there is one', async () => {
    const tested = new TestApp({ ...trusted, pages: { verifyEmail: `${app}/verified`, magicLink: `${app}/in` } })
    await signUp(tested, alice)
    const verification = await tested.linkTo(alice.email)
    expect(await follow(tested, verification)).toBe(`${app}/verified`)
    expect(await follow(tested, verification.replace(/token=[^&]+/, 'token=x'))).toMatch(
      /^https:\/\/app\.acme\.example\/verified\?error=/,
    )
    await tested.device().post('/sign-in/magic-link', { email: alice.email })
    const link = await tested.linkTo(alice.email)
    expect(await follow(tested, link)).toBe(`${app}/in`)
    expect(await follow(tested, link)).toMatch(/^https:\/\/app\.acme\.example\/in\?error=/)
  })

  it('signIn: for a visitor who signs up twice, in the strict profile', async () => {
    const tested = new TestApp({ ...trusted, profile: 'strict', pages: { signIn: `${app}/login` } })
    await tested.device().post('/sign-up/email', alice)
    await tested.clearMailbox()
    await tested.device().post('/sign-up/email', alice)
    expect(await tested.linkTo(alice.email)).toBe(`${app}/login`)
  })

  it('error: takes the place of onAPIError.errorURL, unless that is set', async () => {
    const at = (config: object) =>
      follow(new TestApp({ ...trusted, ...config }), `${origin}/api/auth/callback/github?code=x`)
    const pages = { error: `${app}/oops` }
    const socialProviders = { github: { clientId: 'id', clientSecret: 'secret' } }
    expect(await at({ pages, socialProviders })).toMatch(/^https:\/\/app\.acme\.example\/oops\?error=/)
    expect(await at({ pages, socialProviders, onAPIError: { errorURL: '/wrong' } })).toMatch(
      /^http:\/\/localhost:8787\/wrong\?error=/,
    )
    expect(await at({ socialProviders })).toMatch(/^http:\/\/localhost:8787\/api\/auth\/error\?error=/)
  })
})

describe('a page', () => {
  it.each(['acceptInvitation', 'resetPassword', 'verifyEmail', 'magicLink', 'members', 'signIn', 'error'])(
    '%s at an origin that is not trusted stops the start; both settings are named',
    (name) => {
      const start = (pages: object) => () => new TestApp({ ...trusted, pages })
      expect(start({ [name]: 'https://evil.example/x' })).toThrow(
        new RegExp(`pages\\.${name}.*https://evil\\.example to trustedOrigins`),
      )
      expect(start({ [name]: 'javascript:alert(1)' })).toThrow(new RegExp(`pages\\.${name}`))
      expect(start({ [name]: '//evil.example/x' })).toThrow(new RegExp(`pages\\.${name}`))
      expect(start({ [name]: `${app}/x` })).not.toThrow()
      expect(start({ [name]: '/x' })).not.toThrow()
    },
  )
})
