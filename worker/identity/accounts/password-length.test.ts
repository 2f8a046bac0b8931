import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'

/** Each limit counts code points: an emoji is one character, and not the two units of UTF-16. */

const app = () => new TestApp({ rateLimit: { enabled: false }, emailAndPassword: { maxPasswordLength: 20 } })
const emoji = (count: number) => '\u{1f600}'.repeat(count)

const cases: [string, string | undefined][] = [
  [emoji(4), 'PASSWORD_TOO_SHORT'],
  [emoji(7), 'PASSWORD_TOO_SHORT'],
  [emoji(8), undefined],
  [emoji(20), undefined],
  [emoji(21), 'PASSWORD_TOO_LONG'],
]

describe.each(cases)('%s', (given, code) => {
  it(`sign-up, change and reset: ${code ?? 'accepted'}`, async () => {
    const gate = app()
    const made = await gate.device().post('/sign-up/email', { ...alice, email: 'new@example.com', password: given })
    expect(made.body.code).toBe(code)
    const device = await signUp(gate, alice)
    await device.post('/request-password-reset', { email: alice.email, redirectTo: '/reset' })
    const [link] = (await gate.mailbox()).find(
      ({ to, links }) => to === alice.email && links.join().includes('reset'),
    )!.links
    const token = new URL(link!).pathname.split('/').at(-1)
    const reset = await gate.device().post('/reset-password', { newPassword: given, token })
    expect(reset.body.code).toBe(code)
    if (code === undefined) return
    const changed = await device.post('/change-password', { currentPassword: alice.password, newPassword: given })
    expect(changed.body.code).toBe(code)
  })
})

it('a password over the maximum of every configuration is rejected', async () => {
  const tooLong = await app()
    .device()
    .post('/sign-in/email', { email: alice.email, password: emoji(4097) })
  expect(tooLong).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})
