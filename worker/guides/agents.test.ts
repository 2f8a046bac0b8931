import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCurl, shellBlocks } from '../testing/curl.ts'
import { origin } from '../testing/harness.ts'
import { InitApp } from '../testing/init-app.ts'
import { verifyAddresses } from '../testing/states.ts'
import guide from './agents.md?raw'
// The code of the guide (guides/code-blocks.ts), and its commands.
import { config as withApprovals } from './agents.md#1.ts'
import { config as withScopes } from './agents.md#2.ts'

const [signUp, create, ask, poll, introspect, register, startDevice, collect, exchange] = shellBlocks(guide) as [
  ...[string, string, string, string, string, string, string, string, string],
]
const shop = 'https://shop.example.com'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

it('from nothing to an approved payment, command by command', async () => {
  const app = new InitApp(withApprovals)
  const given = { device: app.device(), GATEHOUSE: origin }
  expect((await runCurl(app, signUp, given)).body.user.email).toBe('alice@example.com')
  await verifyAddresses()
  const { agent, clientSecret } = (await runCurl(app, create, given)).body
  const asAgent = { ...given, AGENT: agent.clientId, SECRET: clientSecret }
  const asked = (await runCurl(app, ask, asAgent)).body
  const request = { ...asAgent, REQUEST: asked.auth_req_id }
  expect((await runCurl(app, poll, request)).body.error).toBe('authorization_pending')
  const [{ id, authorizationDetails, bindingMessage }] = (await given.device.get('/approvals/list')).body
  expect({ bindingMessage, sentence: authorizationDetails[0].sentence.en }).toEqual({
    bindingMessage: 'Order 4711',
    sentence: expect.stringContaining('pay at most 50 EUR to'),
  })
  expect((await given.device.post('/approvals/approve', { id })).status).toBe(200)
  pass(asked.interval)
  const { access_token: token } = (await runCurl(app, poll, request)).body
  const details = [{ type: 'payment', amount: 50, to: 'Paper Ltd' }]
  expect((await runCurl(app, introspect, { ...asAgent, TOKEN: token })).body).toMatchObject({
    ...{ active: true, sub: agent.userId, act: { sub: agent.clientId }, authorization_details: details },
  })
  const validated = await app.serverApi().validateToken(shop, token)
  expect(validated?.props).toMatchObject({ authorizationDetails: details, actors: [agent.clientId] })
})

it('an agent exchanges the token of its user, command by command', async () => {
  const app = new InitApp(withScopes)
  const given = { device: app.device(), GATEHOUSE: origin }
  await runCurl(app, signUp, given)
  expect((await given.device.get('/agents/resources')).body.resources[0].resource).toBe(shop)
  const reading = create.replace('orders:pay', 'orders:read')
  const { agent, clientSecret } = (await runCurl(app, reading, given)).body
  const withClient = { ...given, CLIENT: (await runCurl(app, register, given)).body.client_id }
  const started = (await runCurl(app, startDevice, withClient)).body
  await given.device.post('/oauth2/device/answer', { user_code: started.user_code, accept: true })
  pass(started.interval)
  const user = (await runCurl(app, collect, { ...withClient, DEVICE: started.device_code })).body
  expect(user.scope).toBe('orders:read orders:create')
  const asAgent = { ...given, AGENT: agent.clientId, SECRET: clientSecret, TOKEN: user.access_token }
  const { body } = await runCurl(app, exchange, asAgent)
  expect(body.scope).toBe('orders:read')
  expect((await app.serverApi().validateToken(shop, body.access_token))?.props.actors).toEqual([agent.clientId])
})
