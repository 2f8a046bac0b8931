import { createAuthClient } from 'better-auth/client'
import { twoFactorClient, usernameClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newest } from '../../../client/e2e/mailbox.ts'
import { codeOf, previousCode } from '../../testing/authenticator.ts'
import { alice } from '../../testing/people.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.close())

/** The published client with both plug-ins, unmodified, on a device of its own. */
const device = (onTwoFactorRedirect = () => {}) =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
    plugins: [twoFactorClient({ onTwoFactorRedirect }), usernameClient()],
  })

const { password } = alice

describe('the published client drives two-factor and usernames', () => {
  const shared = {} as { first: ReturnType<typeof device>; totpURI: string; backupCodes: string[] }

  /**
   * The password step on a new device, which runs the redirect callback. It returns the client in an object, because
   * an async function treats a bare client as a promise.
   */
  async function challenged() {
    const redirect = vi.fn()
    const client = device(redirect)
    const { data, error } = await client.signIn.email({ email: alice.email, password })
    expect(error).toBeNull()
    expect(data).toEqual({ twoFactorRedirect: true })
    expect(redirect).toHaveBeenCalledOnce()
    expect((await client.getSession()).data).toBeNull()
    return { client }
  }

  it('signs up with a username', async () => {
    shared.first = device()
    const { data, error } = await shared.first.signUp.email({ ...alice, username: 'Alice.A' })
    expect(error).toBeNull()
    expect(data?.token).toBeTruthy()
    const session = await shared.first.getSession()
    expect(session.data?.user).toMatchObject({
      username: 'alice.a',
      displayUsername: 'Alice.A',
      twoFactorEnabled: false,
    })
  })

  it('signs in by username, and returns the error of a failed sign-in', async () => {
    const client = device()
    const { data, error } = await client.signIn.username({ username: 'ALICE.A', password })
    expect(error).toBeNull()
    expect(data).toMatchObject({ token: expect.any(String), user: { username: 'alice.a', email: alice.email } })
    const wrong = await client.signIn.username({ username: 'alice.a', password: 'wrong-password' })
    expect(wrong.error).toMatchObject({ status: 401, code: 'INVALID_USERNAME_OR_PASSWORD' })
    const invalid = await client.signIn.username({ username: 'no such!', password })
    expect(invalid.error).toMatchObject({ status: 422, code: 'USERNAME_IS_INVALID' })
  })

  it('changes the username', async () => {
    expect((await shared.first.updateUser({ username: 'Alice2' })).data).toEqual({ status: true })
    expect((await shared.first.getSession()).data?.user.displayUsername).toBe('Alice2')
  })

  it('enables two-factor, and verifies the first code', async () => {
    const { data, error } = await shared.first.twoFactor.enable({ password })
    expect(error).toBeNull()
    Object.assign(shared, data)
    expect(shared.backupCodes).toHaveLength(10)
    const uri = await shared.first.twoFactor.getTotpUri({ password })
    expect(uri.data).toEqual({ totpURI: shared.totpURI })
    const wrong = await shared.first.twoFactor.enable({ password: 'wrong-password' })
    expect(wrong.error).toMatchObject({ status: 400, code: 'INVALID_PASSWORD' })
    const verified = await shared.first.twoFactor.verifyTotp({ code: await previousCode(shared.totpURI) })
    expect(verified.error).toBeNull()
    const session = await shared.first.getSession()
    expect(session.data?.user.twoFactorEnabled).toBe(true)
    expect(session.data?.session.token).toBe((verified.data as { token: string }).token)
  })

  it('answers the challenge with a code of the app, trusts the device, and is not asked again there', async () => {
    const { client } = await challenged()
    const { data, error } = await client.twoFactor.verifyTotp({ code: await codeOf(shared.totpURI), trustDevice: true })
    expect(error).toBeNull()
    expect(data).toMatchObject({ token: expect.any(String), user: { email: alice.email, createdAt: expect.any(Date) } })
    await client.signOut()
    const again = await client.signIn.email({ email: alice.email, password })
    expect(again.data).toMatchObject({ redirect: false, token: expect.any(String) })
  })

  it('answers it with a mailed code', async () => {
    const { client } = await challenged()
    expect((await client.twoFactor.sendOtp()).data).toEqual({ status: true })
    const code = await newest(server, alice.email, 'codes')
    const wrong = await client.twoFactor.verifyOtp({ code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') })
    expect(wrong.error).toMatchObject({ status: 401, code: 'INVALID_CODE' })
    expect((await client.twoFactor.verifyOtp({ code })).error).toBeNull()
    expect((await client.getSession()).data?.user.email).toBe(alice.email)
  })

  it('answers it with a backup code, once', async () => {
    const [code = ''] = shared.backupCodes
    const { client } = await challenged()
    expect((await client.twoFactor.verifyBackupCode({ code })).error).toBeNull()
    expect((await client.getSession()).data?.user.email).toBe(alice.email)
    const { client: other } = await challenged()
    const again = await other.twoFactor.verifyBackupCode({ code })
    expect(again.error).toMatchObject({ status: 401, code: 'INVALID_BACKUP_CODE', message: 'Invalid backup code' })
  })

  it('generates new backup codes, and disables', async () => {
    const { data } = await shared.first.twoFactor.generateBackupCodes({ password })
    expect(data).toMatchObject({ status: true, backupCodes: expect.any(Array) })
    expect(data!.backupCodes).not.toEqual(shared.backupCodes)
    expect((await shared.first.twoFactor.disable({ password })).data).toEqual({ status: true })
    expect((await shared.first.getSession()).data?.user.twoFactorEnabled).toBe(false)
    const free = await device().signIn.username({ username: 'alice2', password })
    expect(free.data).toMatchObject({ token: expect.any(String) })
  })
})
