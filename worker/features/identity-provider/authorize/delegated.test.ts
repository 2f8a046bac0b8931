import { expect, it } from 'vitest'
import { serverKey } from '../../../testing/api-keys.ts'
import { TestApp } from '../../../testing/harness.ts'
import { agree, authorizationRequest, authorize, codeOf, exchange, registerClient } from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { impersonateAs } from '../../../testing/states.ts'

/** A user with a stored consent to a client. */
async function consented() {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const device = await signUp(app, alice)
  const client = await registerClient(device)
  const request = authorizationRequest(client)
  expect((await exchange(app, client, codeOf(await agree(device, request)))).status).toBe(200)
  expect((await authorize(device, request)).searchParams.has('code')).toBe(true)
  return { app, device, request }
}

it("an impersonated session receives no code: the administrator must sign in, despite the user's consent", async () => {
  const { device, request } = await consented()
  await impersonateAs('another')
  const asked = await authorize(device, request)
  expect({ pathname: asked.pathname, hasCode: asked.searchParams.has('code') }).toEqual({
    pathname: '/sign-in',
    hasCode: false,
  })
  const silent = await authorize(device, { ...request, prompt: 'none' })
  expect({ error: silent.searchParams.get('error'), hasCode: silent.searchParams.has('code') }).toEqual({
    error: 'login_required',
    hasCode: false,
  })
  for (const [path, body] of [
    ['/oauth2/consent', { accept: true }],
    ['/oauth2/device/answer', { user_code: 'BCDFGHJK', accept: true }],
  ] as const) {
    const answer = await device.post(path, body)
    expect({ path, status: answer.status, code: answer.body.code }).toEqual({
      path,
      status: 403,
      code: 'OWN_SESSION_REQUIRED',
    })
  }
})

it('an API key receives no code either', async () => {
  const { app, device, request } = await consented()
  const { user } = (await device.get('/get-session')).body
  const { key } = await serverKey(app, { userId: user.id })
  const keyHolder = app.device()
  keyHolder.headers = { 'x-api-key': key }
  const asked = await authorize(keyHolder, request)
  expect({ pathname: asked.pathname, hasCode: asked.searchParams.has('code') }).toEqual({
    pathname: '/sign-in',
    hasCode: false,
  })
})
