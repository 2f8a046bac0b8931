import { describe, expect, it } from 'vitest'
import { readConfig } from '../../configuration/read-config.ts'
import { setFirstPassword } from '../../features/email-password/change-password.ts'
import { enabledFeatures } from '../../features.ts'
import { mayHold } from '../../kit/word-filter.ts'
import { administrator } from '../../testing/admins.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'
import { commonPasswords } from './common-passwords.generated.ts'

const unlimited = { rateLimit: { enabled: false } }
const refusing = () => new TestApp({ ...unlimited, emailAndPassword: { commonPasswords: 'refuse' } })
const person = { ...alice, password: 'violet-otter-1887' }
const common = 'password1234'
const refused = { status: 400, body: { code: 'PASSWORD_TOO_COMMON', message: 'Password too common' } }

describe('the filter', () => {
  const filter = Buffer.from(commonPasswords, 'base64')

  it('holds what attackers try first, and next to nothing else, in 32 KB', () => {
    for (const text of ['12345678', 'password', 'qwertyuiop', 'iloveyou1', '123456', 'dragon']) {
      expect({ text, held: mayHold(filter, text) }).toEqual({ text, held: true })
    }
    const others = Array.from({ length: 10_000 }, (_, n) => `violet otter ${n}`)
    expect(others.filter((text) => mayHold(filter, text)).length).toBeLessThan(10)
    expect(filter.length).toBeLessThan(32 * 1024)
  })
})

describe("emailAndPassword.commonPasswords: 'refuse'", () => {
  it('is on in strict, and off in the compatible profile', () => {
    const chosen = (profile: 'strict' | 'compatible') =>
      readConfig({ profile }, env).options.emailAndPassword as { commonPasswords: string }
    expect({ strict: chosen('strict').commonPasswords, compatible: chosen('compatible').commonPasswords }).toEqual({
      strict: 'refuse',
      compatible: 'allow',
    })
  })

  it('sign-up: in whatever case; nothing is written', async () => {
    const app = refusing()
    for (const password of [common, 'PassWord1234']) {
      const { status, body } = await app.device().post('/sign-up/email', { ...person, password })
      expect({ status, body }).toEqual(refused)
    }
    expect(await count('users')).toBe(0)
    await signUp(app, person)
  })

  it('change, reset and set; the password of before stays, and so does the link', async () => {
    const app = refusing()
    const device = await signUp(app, person)
    const change = await device.post('/change-password', { currentPassword: person.password, newPassword: common })
    expect({ status: change.status, body: change.body }).toEqual(refused)
    await device.post('/request-password-reset', { email: person.email })
    const token = new URL(await app.linkTo(person.email)).pathname.split('/').at(-1)
    const reset = await app.device().post('/reset-password', { newPassword: common, token })
    expect({ status: reset.status, body: reset.body }).toEqual(refused)
    const { id } = (await device.get('/get-session')).body.user
    await expect(setFirstPassword(app.openScope().scope, id, common)).rejects.toMatchObject({
      code: 'PASSWORD_TOO_COMMON',
    })
    expect((await app.device().post('/sign-in/email', person)).status).toBe(200)
    const again = await app.device().post('/reset-password', { newPassword: 'amber-heron-2204', token })
    expect(again.status).toBe(200)
  })

  it('an administrator gives none either', async () => {
    const app = refusing()
    const { device } = await administrator(app)
    const { status, body } = await device.post('/admin/create-user', { ...person, password: common })
    expect({ status, body }).toEqual(refused)
  })

  it('is an answer that every endpoint which sets a password names', () => {
    const setting = enabledFeatures({}).flatMap(({ routes }) =>
      Object.values(routes?.contract ?? {}).filter(({ errors }) =>
        errors.some(({ code }) => code === 'PASSWORD_TOO_SHORT'),
      ),
    )
    expect(setting.length).toBeGreaterThan(5)
    for (const { path, errors } of setting) {
      expect({ path, declared: errors.some(({ code }) => code === 'PASSWORD_TOO_COMMON') }).toEqual({
        path,
        declared: true,
      })
    }
  })
})
