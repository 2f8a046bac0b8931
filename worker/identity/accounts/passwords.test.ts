import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice } from '../../testing/people.ts'
import { rowOf } from '../../testing/rows.ts'

const storedHash = async () => (await rowOf('accounts'))!.password!

describe('account.passwordHash', () => {
  it('is scrypt without one: salt and key in hexadecimal, and right passwords only', async () => {
    const app = new TestApp({ account: { passwordHash: null } })
    await app.device().post('/sign-up/email', alice)
    expect(await storedHash()).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'not-hers-at-all' })).status).toBe(401)
  })

  it("is the product's own otherwise, also for names without a user", async () => {
    const asked: string[] = []
    const app = new TestApp({
      account: {
        passwordHash: {
          hash: async (password) => `own:${password.length}:${password}`,
          async verify({ password, hash }) {
            asked.push(hash.split(':')[0]!)
            return hash === `own:${password.length}:${password}`
          },
        },
      },
    })
    await app.device().post('/sign-up/email', alice)
    expect(await storedHash()).toBe(`own:${alice.password.length}:${alice.password}`)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'not-hers-at-all' })).status).toBe(401)
    expect((await app.device().post('/sign-in/email', { ...alice, email: 'unknown@example.com' })).status).toBe(401)
    expect(asked).toEqual(['own', 'own', 'own'])
  })

  it('does not start with anything but two functions', () => {
    const half = { hash: 'md5' } as never
    expect(() => new TestApp({ account: { passwordHash: half } })).toThrow('account.passwordHash')
  })
})
