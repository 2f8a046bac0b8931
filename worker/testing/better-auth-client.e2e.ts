import { createAuthClient } from 'better-auth/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest } from '../../client/e2e/mailbox.ts'
import { alice } from './people.ts'
import { publishedClientFetch } from './published-client.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.close())

/** The published client, unmodified, on a separate device: only the browser's cookie jar is added. */
const device = () =>
  createAuthClient({ baseURL: server.url, fetchOptions: { customFetchImpl: publishedClientFetch(server.url) } })

const linkTo = (address: string, path: string): Promise<string> => newest(server, address, 'links', path)

describe('the published client drives accounts and sessions', () => {
  const first = () => shared.first
  const shared = {} as { first: ReturnType<typeof device>; second: ReturnType<typeof device> }

  it('signs up and reads the session', async () => {
    shared.first = device()
    const { data, error } = await first().signUp.email(alice)
    expect(error).toBeNull()
    expect(data).toMatchObject({ token: expect.any(String), user: { email: alice.email, emailVerified: false } })
    const session = await first().getSession()
    expect(session.data?.user).toMatchObject({ email: alice.email, createdAt: expect.any(Date) })
    expect(session.data?.session.token).toBe(data!.token)
  })

  it('verifies the address with the mailed token', async () => {
    const token = new URL(await linkTo(alice.email, '/verify-email')).searchParams.get('token')!
    const { data, error } = await first().verifyEmail({ query: { token } })
    expect(error).toBeNull()
    expect(data).toEqual({ status: true, user: null })
    const session = await first().getSession()
    expect(session.data?.user.emailVerified).toBe(true)
  })

  it('updates the user', async () => {
    expect(await first().updateUser({ name: 'Alice II', image: null })).toMatchObject({ data: { status: true } })
    expect((await first().getSession()).data?.user.name).toBe('Alice II')
  })

  it('signs in elsewhere, lists and revokes sessions', async () => {
    shared.second = device()
    const signedIn = await shared.second.signIn.email({ email: alice.email, password: alice.password })
    expect(signedIn.data).toMatchObject({ redirect: false, token: expect.any(String) })
    const { data: sessions } = await first().listSessions()
    expect(sessions).toHaveLength(2)
    const { data } = await first().revokeSession({ token: signedIn.data!.token })
    expect(data).toEqual({ status: true })
    expect((await shared.second.getSession()).data).toBeNull()
  })

  it('revokes the other sessions, then all', async () => {
    await shared.second.signIn.email({ email: alice.email, password: alice.password })
    expect((await first().revokeOtherSessions()).data).toEqual({ status: true })
    expect((await shared.second.getSession()).data).toBeNull()
    expect((await first().revokeSessions()).data).toEqual({ status: true })
    expect((await first().getSession()).data).toBeNull()
    await first().signIn.email({ email: alice.email, password: alice.password })
  })

  it('changes the password', async () => {
    const { data, error } = await first().changePassword({
      currentPassword: alice.password,
      newPassword: 'password-two',
      revokeOtherSessions: true,
    })
    expect(error).toBeNull()
    expect(data).toMatchObject({ token: expect.any(String), user: { email: alice.email } })
    expect((await first().getSession()).data?.session.token).toBe(data!.token)
  })

  it('changes the address with the mailed link', async () => {
    expect((await first().changeEmail({ newEmail: 'alice2@example.com' })).data).toEqual({ status: true })
    const token = new URL(await linkTo(alice.email, '/verify-email')).searchParams.get('token')!
    const { data } = await first().verifyEmail({ query: { token } })
    expect(data).toMatchObject({ status: true, user: { email: 'alice2@example.com', emailVerified: false } })
  })

  it('resets the password', async () => {
    expect((await first().requestPasswordReset({ email: 'alice2@example.com', redirectTo: '/reset' })).error).toBeNull()
    const link = await linkTo('alice2@example.com', '/reset-password')
    const redirect = await fetch(link, { redirect: 'manual' })
    const token = new URL(redirect.headers.get('location')!).searchParams.get('token')!
    expect((await first().resetPassword({ newPassword: 'password-three', token })).data).toEqual({ status: true })
    expect((await first().getSession()).data).toBeNull()
    const { error } = await first().signIn.email({ email: 'alice2@example.com', password: 'password-two' })
    expect(error).toMatchObject({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' })
    expect((await first().signIn.email({ email: 'alice2@example.com', password: 'password-three' })).error).toBeNull()
  })

  it('lists accounts and refuses to unlink the last', async () => {
    expect((await first().listAccounts()).data).toMatchObject([{ provider: 'credential', scopes: [] }])
    const { error } = await first().unlinkAccount({ providerId: 'credential' })
    expect(error).toMatchObject({ status: 400, code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT' })
  })

  it('signs out, and deletes the user', async () => {
    expect((await first().signOut()).data).toEqual({ success: true })
    expect((await first().getSession()).data).toBeNull()
    await first().signIn.email({ email: 'alice2@example.com', password: 'password-three' })
    const { data } = await first().deleteUser({ password: 'password-three' })
    expect(data).toEqual({ success: true, message: 'User deleted' })
    const { error } = await first().signIn.email({ email: 'alice2@example.com', password: 'password-three' })
    expect(error?.status).toBe(401)
  })
})
