import { createAuthClient } from 'better-auth/client'
import { anonymousClient, emailOTPClient, magicLinkClient, phoneNumberClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest } from '../../../client/e2e/mailbox.ts'
import { alice, bob } from '../../testing/people.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { phoneNumber: { signUpOnVerification: true } } })
})
afterAll(() => server?.close())

/** The published client, unmodified, on a separate device. */
const device = () =>
  createAuthClient({
    baseURL: server.url,
    plugins: [magicLinkClient(), emailOTPClient(), phoneNumberClient(), anonymousClient()],
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
  })

const codeTo = (recipient: string) => newest(server, recipient, 'codes')

describe('the published client signs in without a password', () => {
  it('magic link', async () => {
    const client = device()
    const sent = await client.signIn.magicLink({ email: alice.email, name: 'Alice', callbackURL: '/dash' })
    expect(sent).toEqual({ data: { status: true }, error: null })
    const token = new URL(await newest(server, alice.email, 'links')).searchParams.get('token')!
    const { data, error } = await client.magicLink.verify({ query: { token } })
    expect(error).toBeNull()
    expect(data).toMatchObject({ token: expect.any(String), user: { email: alice.email, emailVerified: true } })
    expect((await client.getSession()).data?.user.name).toBe('Alice')
  })

  it('email codes: verification, sign-in, reset', async () => {
    const client = device()
    await client.signUp.email(bob)
    const { email } = bob
    expect(await client.emailOtp.sendVerificationOtp({ email, type: 'email-verification' })).toEqual({
      data: { success: true },
      error: null,
    })
    const verified = await client.emailOtp.verifyEmail({ email, otp: await codeTo(email) })
    expect(verified.data).toMatchObject({ status: true, token: null, user: { emailVerified: true } })

    const second = device()
    await second.emailOtp.sendVerificationOtp({ email, type: 'sign-in' })
    const wrong = await second.signIn.emailOtp({ email, otp: 'none' })
    expect(wrong.error).toMatchObject({ status: 400, code: 'INVALID_OTP', message: 'Invalid OTP' })
    const signedIn = await second.signIn.emailOtp({ email, otp: await codeTo(email) })
    expect(signedIn.data).toMatchObject({ token: expect.any(String), user: { email } })

    expect((await device().forgetPassword.emailOtp({ email })).data).toEqual({ success: true })
    const reset = await device().emailOtp.resetPassword({ email, otp: await codeTo(email), password: 'password9999' })
    expect(reset.data).toEqual({ success: true })
    expect((await device().signIn.email({ email, password: 'password9999' })).error).toBeNull()
    expect((await second.listSessions()).error?.status).toBe(401)
  })

  it('phone: send, verify, update, sign in, both names of the reset', async () => {
    const client = device()
    const phoneNumber = '+15550001111'
    expect((await client.phoneNumber.sendOtp({ phoneNumber })).data).toEqual({ message: 'code sent' })
    const verified = await client.phoneNumber.verify({ phoneNumber, code: await codeTo(phoneNumber) })
    expect(verified.data).toMatchObject({ status: true, token: expect.any(String), user: { phoneNumber } })
    expect((await client.getSession()).data?.user).toMatchObject({ phoneNumber, phoneNumberVerified: true })

    const next = '+15550002222'
    await client.phoneNumber.sendOtp({ phoneNumber: next })
    const code = await codeTo(next)
    const updated = await client.phoneNumber.verify({ phoneNumber: next, code, updatePhoneNumber: true })
    expect(updated.data).toMatchObject({ status: true, user: { phoneNumber: next } })

    expect((await device().phoneNumber.requestPasswordReset({ phoneNumber: next })).data).toEqual({ status: true })
    await codeTo(next)
    expect((await device().phoneNumber.forgetPassword({ phoneNumber: next })).data).toEqual({ status: true })
    const reset = { otp: await codeTo(next), phoneNumber: next, newPassword: 'password9999' }
    expect((await device().phoneNumber.resetPassword(reset)).data).toEqual({ status: true })
    const signedIn = await device().signIn.phoneNumber({
      phoneNumber: next,
      password: 'password9999',
      rememberMe: false,
    })
    expect(signedIn.data).toMatchObject({ token: expect.any(String), user: { phoneNumber: next } })
  })

  it('guest: once, then as another user', async () => {
    const client = device()
    const entered = await client.signIn.anonymous()
    expect(entered.data).toMatchObject({ token: expect.any(String), user: { name: 'Anonymous' } })
    expect((await client.signIn.anonymous()).error).toMatchObject({
      status: 400,
      code: 'ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY',
    })
    expect((await client.signUp.email({ ...alice, email: 'real@example.com' })).error).toBeNull()
    expect((await client.getSession()).data?.user).toMatchObject({ email: 'real@example.com', isAnonymous: false })
  })
})
