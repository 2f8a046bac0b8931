import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, type Device, TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { walk } from '../../testing/outside/walk.ts'
import { alice, signUp } from '../../testing/people.ts'
import { rowsOf, storedRow } from '../../testing/rows.ts'
import { addAuthenticator, linkAccount, updateUsers } from '../../testing/states.ts'

/**
 * An attacker creates an account with a victim's address without proving it, and adds every possible sign-in method.
 * Then the victim proves the address in each of the supported ways. The account keeps no data of the attacker.
 */

const number = '+15550009999'
const victimsPassword = 'the-victims-own-1'

afterEach(() => {
  vi.restoreAllMocks()
})

interface Trap {
  app: TestApp
  provider: OAuthProvider
  attacker: Device
  /** Links that the attacker has requested for the victim before. They must become invalid. */
  pending: { reset: string; magic: string; verify: string }
}

async function layTrap(): Promise<Trap> {
  const provider = new OAuthProvider(google).install()
  const app = new TestApp({
    rateLimit: { enabled: false },
    socialProviders: { google: provider.options },
    account: { accountLinking: { allowDifferentEmails: true } },
  })
  const attacker = await signUp(app, alice, { phoneNumber: number, username: 'victim' })
  const user = (await attacker.get('/get-session')).body.user.id as string
  const _now = Date.now()
  await updateUsers({ phoneNumberVerified: true, twoFactorEnabled: true })
  await linkAccount(user, { providerId: 'google', accountId: 'attacker' })
  await addAuthenticator(user)
  const verify = await app.linkTo(alice.email)
  await app.device().post('/request-password-reset', { email: alice.email })
  const reset = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)!
  await app.device().post('/sign-in/magic-link', { email: alice.email })
  const magic = await app.linkTo(alice.email)
  return { app, provider, attacker, pending: { reset, magic, verify } }
}

const codeFor = async (app: TestApp, device: Device, type: string) => {
  await device.post('/email-otp/send-verification-otp', { email: alice.email, type })
  return (await app.mailbox()).find(({ to, codes }) => to === alice.email && codes.length > 0)!.codes[0]!
}

const byLink: Way = ({ pending }, victim) => victim.get(pending.verify)

type Way = (trap: Trap, victim: Device) => Promise<Answer>

const ways: Record<string, { prove: Way }> = {
  'password reset by link': {
    prove: ({ pending }, victim) =>
      victim.post('/reset-password', { token: pending.reset, newPassword: victimsPassword }),
  },
  'password reset by code': {
    prove: async ({ app }, victim) => {
      await victim.post('/forget-password/email-otp', { email: alice.email })
      const otp = (await app.mailbox()).find(({ codes }) => codes.length > 0)!.codes[0]
      return victim.post('/email-otp/reset-password', { email: alice.email, otp, password: victimsPassword })
    },
  },
  'verification by code': {
    prove: async ({ app }, victim) =>
      victim.post('/email-otp/verify-email', {
        email: alice.email,
        otp: await codeFor(app, victim, 'email-verification'),
      }),
  },
  'magic link': { prove: ({ pending }, victim) => victim.get(pending.magic) },
  'sign-in by code': {
    prove: async ({ app }, victim) =>
      victim.post('/sign-in/email-otp', { email: alice.email, otp: await codeFor(app, victim, 'sign-in') }),
  },
  'sign-in at a provider': {
    prove: ({ provider }, victim) => {
      provider.person = { id: 'victim', email: alice.email }
      return walk(victim, provider)
    },
  },
}

describe('an account that was made with the address of another user', () => {
  it.each(Object.entries(ways))('%s: keeps nothing of who made it', async (_name, { prove }) => {
    const trap = await layTrap()
    const { app, attacker, pending } = trap
    const victim = app.device()
    const answer = await prove(trap, victim)
    expect([200, 302]).toContain(answer.status)
    expect(answer.headers.get('location') ?? '').not.toContain('error')

    const user = await storedRow('users')
    expect(user).toMatchObject({
      email: alice.email,
      email_verified: 1,
      phone_number: null,
      phone_number_verified: 0,
      two_factor_enabled: 0,
    })
    expect(await rowsOf('two_factors')).toEqual([])
    expect(await rowsOf('trusted_devices')).toEqual([])
    expect(await rowsOf('accounts', { accountId: 'attacker' })).toEqual([])
    expect((await attacker.get('/list-sessions')).status).toBe(401)
    const password = await app.device().post('/sign-in/email', alice)
    expect(password.status).toBe(401)
    // Links and codes that were pending before are invalid, for all requesters.
    const late = app.device()
    expect((await late.post('/reset-password', { token: pending.reset, newPassword: 'attacker-again-1' })).status).toBe(
      400,
    )
    const magic = await late.get(pending.magic)
    expect(magic.headers.get('location')).toContain('INVALID_TOKEN')
    expect(late.cookie('session_token')).toBeUndefined()
  })

  it.each(['verification by link', 'verification by code'])(
    '%s where its session is: nothing else ends',
    async (name) => {
      const trap = await layTrap()
      await updateUsers({ twoFactorEnabled: false })
      const answer = await (ways[name]?.prove ?? byLink)(trap, trap.attacker)
      expect(answer.status).toBeLessThan(400)
      const user = await storedRow('users')
      expect(user).toMatchObject({
        email_verified: 1,
        phone_number: number,
        phone_number_verified: 1,
        security_version: 0,
      })
      expect(await rowsOf('two_factors')).toHaveLength(1)
      expect(await rowsOf('accounts')).toHaveLength(2)
      expect((await trap.attacker.get('/list-sessions')).status).toBe(200)
    },
  )

  it.each(['verification by link', 'verification by code'])(
    '%s in the browser that signed up without a session: nothing else ends',
    async (name) => {
      const provider = new OAuthProvider(google).install()
      const app = new TestApp({ rateLimit: { enabled: false }, emailAndPassword: { requireEmailVerification: true } })
      const device = app.device()
      expect((await device.post('/sign-up/email', alice)).body.token).toBeNull()
      const pending = { reset: '', magic: '', verify: await app.linkTo(alice.email) }
      const answer = await (ways[name]?.prove ?? byLink)({ app, provider, attacker: device, pending }, device)
      expect(answer.status).toBeLessThan(400)
      expect(await storedRow('users', 'email_verified', 'security_version')).toEqual({
        email_verified: 1,
        security_version: 0,
      })
      expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    },
  )
})
