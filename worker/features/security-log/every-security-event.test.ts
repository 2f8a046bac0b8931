import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import {
  type SecurityEventType,
  securityEventTypes,
  securityNotices,
} from '../../identity/model/security-event-types.ts'
import { allCases, type World } from '../../testing/cases.ts'
import { TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { deleteRows, rowsOf } from '../../testing/rows.ts'

/** Every action that the sign-in log records: its event, and the notice that the owner receives. */

async function world(config: Config = {}): Promise<World> {
  const provider = new OAuthProvider(google).install()
  const app = new TestApp({
    rateLimit: { enabled: false },
    user: { changeEmail: { enabled: true } },
    socialProviders: { google: provider.options },
    account: { accountLinking: { allowDifferentEmails: true } },
    ...config,
  })
  const begin = async () => {
    await deleteRows('security_events')
    await app.clearMailbox()
  }
  return { app, provider, begin }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const table = allCases.flatMap(({ securityEvents = {} }) => Object.entries(securityEvents))

/** Tested elsewhere: step-ups, and the lockout that security-log.test.ts counts. */
const elsewhere: SecurityEventType[] = ['step-up', 'step-up-failed', 'locked-out']

const subjects: Record<string, string> = {}

describe('the sign-in log', () => {
  it.each(table)('%s', async (_way, { act, config, events, notices }) => {
    const at = await world(config)
    await act(at)
    const results = await rowsOf('security_events')
    expect(results.map(({ type }) => type)).toEqual(events)
    const expected = notices ?? events.filter((type) => type !== 'sign-in' && securityNotices.includes(type as never))
    const sent = (await at.app.notices()).reverse()
    expect(sent).toHaveLength(expected.length)
    for (const [i, { subject, text }] of sent.entries()) subjects[expected[i]!] = subject || text
    // The event of an administrator's action contains the administrator.
    const byAdmin = results.filter(({ actorId }) => actorId !== null).length
    expect(byAdmin).toBe(_way.startsWith('an administrator') ? events.length : 0)
  })

  it('every event and every notice has its way', () => {
    const seen = new Set([...elsewhere, ...table.flatMap(([, one]) => one.events)])
    expect(securityEventTypes.filter((type) => !seen.has(type))).toEqual([])
    const noticed = [...securityNotices].filter((type) => type !== 'sign-in' && !subjects[type])
    expect(noticed).toEqual([])
    expect(new Set(Object.values(subjects)).size).toBe(Object.keys(subjects).length)
  })
})
