import { expect, it } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import { openChannel } from '../features/live/open-channel.ts'
import { notifyTabs } from '../identity/notify-tabs.ts'
import { addToFeed, endedTokensAfter } from '../identity/sessions/ended-sessions.ts'
import { env, TestApp } from '../testing/harness.ts'
import type { Env } from './env.ts'

const classes = ['ONE_TIME', 'COUNTER', 'ENDED_SESSIONS', 'LIVE'] as const

/** A deployment whose Durable Objects note where they are. */
function deployment(changes: Config, environment: 'production' | 'development') {
  const reached = new Set<string>()
  const noting = (binding: string, real: DurableObjectNamespace, place: string): unknown => ({
    getByName(name: string) {
      reached.add(`${binding} ${place}`)
      return real.getByName(name)
    },
    jurisdiction: (chosen: string) => noting(binding, real, chosen),
  })
  const objects = Object.fromEntries(classes.map((name) => [name, noting(name, env[name], 'anywhere')]))
  const variables: Partial<Env> = {
    ...{ ENVIRONMENT: environment, BASE_URL: 'https://accounts.example.com', RESEND_API_KEY: 're_1' },
    ...{ CONFIG: '', RATE_LIMIT: '', TESTING: '', ADMIN_EMAILS: '' },
  }
  return { app: new TestApp({ mail: { transport: 'resend' }, ...changes }, { ...objects, ...variables }), reached }
}

/** A call of each class. */
async function reachAll(app: TestApp): Promise<void> {
  const { scope, settle } = app.openScope()
  const rule = { max: 5, window: 60_000 }
  await scope.counters.hit('a', rule as never)
  await scope.io.uncounted.counters.forget('a')
  await scope.records.drop('kind', 'a')
  await addToFeed(scope, 'all', ['s'], 1000)
  await endedTokensAfter(scope, 0, 10)
  notifyTabs(scope, 'u', 'sessions' as never)
  const seat = { channel: 'u', sessionId: 's', until: new Date(Date.now() + 60_000), tab: null }
  const upgrade = new Request('https://accounts.example.com', { headers: { upgrade: 'websocket' } })
  const { webSocket } = await openChannel(scope, seat as never, upgrade)
  webSocket!.accept()
  webSocket!.close()
  await settle()
}

it('all Durable Objects are those of the jurisdiction', async () => {
  for (const jurisdiction of ['eu', 'us', 'fedramp'] as const) {
    const { app, reached } = deployment({ jurisdiction }, 'production')
    await reachAll(app)
    expect([...reached].sort()).toEqual(classes.map((name) => `${name} ${jurisdiction}`).sort())
  }
})

it('without the setting, and on a development machine, they are in none', async () => {
  for (const { app, reached } of [deployment({}, 'production'), deployment({ jurisdiction: 'eu' }, 'development')]) {
    await reachAll(app)
    expect([...reached].sort()).toEqual(classes.map((name) => `${name} anywhere`).sort())
  }
})

it('refuses a jurisdiction that one of the stores lacks', () => {
  const app = () => deployment({ jurisdiction: 'fedramp-high' as never }, 'production')
  expect(app).toThrow(/jurisdiction: .*eu/)
})
