import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { setSessionFields } from './session-fields.ts'

const app = () =>
  new TestApp({
    session: {
      additionalFields: {
        plan: { type: 'string', defaultValue: 'free', required: true },
        seats: { type: 'number' },
      },
    },
  })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, message }) => [code, message],
  )

describe('setSessionFields, for servers', () => {
  it('lays fields over those of one session, by their rules', async () => {
    const tested = app()
    const device = await signUp(tested, alice)
    const other = await signUp(tested, bob)
    const { token } = (await device.get('/get-session')).body.session
    const { scope, settle } = tested.openScope()
    expect(await setSessionFields(scope, token, { seats: 3 })).toEqual({ plan: 'free', seats: 3 })
    expect(await setSessionFields(scope, token, { plan: 'paid', seats: null })).toEqual({ plan: 'paid' })
    expect(await codeOf(setSessionFields(scope, token, { plan: null }))).toEqual([
      'INVALID_FIELD_VALUE',
      'plan is required',
    ])
    expect(await codeOf(setSessionFields(scope, token, { seats: 'x' }))).toEqual([
      'INVALID_FIELD_VALUE',
      'seats must be a number',
    ])
    expect(await codeOf(setSessionFields(scope, token, { userId: 'x' }))).toEqual([
      'INVALID_FIELD_VALUE',
      'userId is not a field of sessions',
    ])
    expect(await codeOf(setSessionFields(scope, 'unknown', { seats: 1 }))).toMatchObject([
      'FAILED_TO_GET_SESSION',
      'Failed to get session',
    ])
    await settle()
    const fresh = { query: { disableCookieCache: 'true' } }
    expect((await device.get('/get-session', fresh)).body.session).toMatchObject({ plan: 'paid', seats: null })
    expect((await other.get('/get-session', fresh)).body.session).toMatchObject({ plan: 'free', seats: null })
  })
})
