import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'

describe('POST /sign-up/email', () => {
  it('creates a user and a session', async () => {
    const app = new TestApp()
    const device = await signUp(app, { ...alice, email: 'Alice@Example.com' })
    const { status, body, io } = await device.get('/get-session')
    expect(status).toBe(200)
    expect(body.user.email).toBe('alice@example.com')
    expect(io.d1).toEqual([0, 1])
  })
})
