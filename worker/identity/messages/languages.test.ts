import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { rowOf } from '../../testing/rows.ts'
import { verifyAddresses } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const german = { headers: { 'accept-language': 'de-CH,de;q=0.9' } }
const english = { headers: { 'accept-language': 'en' } }

const kept = async (email: string) => (await rowOf('users', { email }))!.language

const signIn = (app: TestApp, options: object) =>
  app.device().post('/sign-in/email', { email: alice.email, password: alice.password }, options)

describe('the language of a user', () => {
  it('is that of the browser that signed up, and then of each that signs in', async () => {
    const app = new TestApp(unlimited)
    await app.device().post('/sign-up/email', alice, german)
    expect(await kept(alice.email)).toBe('de')
    await signIn(app, english)
    expect(await kept(alice.email)).toBe('en')
    // A sign-in by a server does not contain the language of the user.
    await signIn(app, { headers: { 'accept-language': '*' } })
    await signIn(app, {})
    expect(await kept(alice.email)).toBe('en')
  })

  it('is not the language of the administrator who made the account', async () => {
    const app = new TestApp({ ...unlimited, profile: 'compatible' }, { ADMIN_EMAILS: 'root@people.example' })
    const admin = app.device()
    await admin.post('/sign-up/email', { ...alice, email: 'root@people.example' }, german)
    await admin.post('/admin/create-user', { ...bob, role: 'user' }, german)
    expect(await kept(bob.email)).toBeNull()
  })

  it('is not a field of any answer', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    expect(JSON.stringify((await device.get('/get-session')).body)).not.toContain('language')
  })
})

describe('a mail is in the language', () => {
  it('of the browser that asks for it, else in the one that is kept, else in English', async () => {
    const app = new TestApp(unlimited)
    await app.device().post('/sign-up/email', alice, german)
    await app.clearMailbox()
    const ask = async (options: object, email = alice.email) => {
      await app.device().post('/sign-in/magic-link', { email }, options)
      return (await app.mailbox())[0]!.subject
    }
    expect(await ask({})).toBe('Anmelden bei Gatehouse')
    expect(await ask(english)).toBe('Sign in to Gatehouse')
    expect(await ask({ headers: { 'accept-language': 'nl' } })).toBe('Sign in to Gatehouse')
    expect(await ask({}, 'stranger@people.example')).toBe('Sign in to Gatehouse')
  })

  it('of its reader, where another user’s action sends it: invitations, acceptances, roles, removals', async () => {
    const app = new TestApp(unlimited)
    const [owner, member] = [app.device(), app.device()]
    await owner.post('/sign-up/email', alice, german)
    await member.post('/sign-up/email', bob, english)
    // Only users with a verified address can invite.
    await verifyAddresses()
    const { body: organization } = await owner.post('/organization/create', { name: 'Acme', slug: 'acme' }, german)
    const invite = async (email: string) => {
      await app.clearMailbox()
      const input = { email, role: 'member', organizationId: organization.id }
      const { body } = await owner.post('/organization/invite-member', input, german)
      return { id: body.id, subject: (await app.mailbox())[0]!.subject }
    }
    // The language of the invited user is unknown, so the mail uses that of the user who invites.
    expect((await invite('stranger@people.example')).subject).toBe(`${alice.name} lädt dich zu Acme ein`)
    const { id, subject } = await invite(bob.email)
    expect(subject).toBe(`${alice.name} invites you to Acme`)

    const newest = async () => (await app.mailbox())[0]!
    const { body: accepted } = await member.post('/organization/accept-invitation', { invitationId: id }, english)
    expect(await newest()).toMatchObject({ to: alice.email, subject: `${bob.name} ist Acme beigetreten` })
    const memberId = accepted.member.id
    await owner.post(
      '/organization/update-member-role',
      { memberId, role: 'admin', organizationId: organization.id },
      german,
    )
    expect(await newest()).toMatchObject({ to: bob.email, subject: 'Your role at Acme has changed' })
    await owner.post(
      '/organization/remove-member',
      { memberIdOrEmail: memberId, organizationId: organization.id },
      german,
    )
    expect(await newest()).toMatchObject({ to: bob.email, subject: 'You are no longer a member of Acme' })
  })
})
