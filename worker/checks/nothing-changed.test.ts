import { beforeEach, expect, it, vi } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import { mergeOptions } from '../kit/options.ts'
import { type FaultCase, featureFolders, type Operation, operationsIn } from '../testing/cases.ts'
import { type Device, env, TestApp } from '../testing/harness.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../testing/outside/webhook-receiver.ts'
import { sample } from '../testing/sample.ts'
import { patchOf, scimDirectory, userUrn } from '../testing/scim.ts'
import { newPerson } from '../testing/set-ups.ts'

/**
 * A change that changes nothing leaves no audit record, webhook, security event, signal or job. Each case of the fault
 * tests makes its request twice with the same values.
 */

/** Requests that have an effect each time, by the reason. */
const effective: Record<string, readonly Operation[]> = {
  creates: [
    'POST /admin/create-audit-stream',
    'POST /admin/create-server-key',
    'POST /admin/create-service',
    'POST /admin/create-signal-receiver',
    'POST /agents/create',
    'POST /api-key/create',
    'POST /oauth2/register',
    'POST /organization/create-audit-stream',
    'POST /sso/create-connection',
    'POST /sso/create-directory-token',
    'POST /sso/create-setup-link',
    'POST /sso/setup/create-connection',
  ],
  'each picture has an address of its own': ['POST /avatar', 'POST /organization/logo'],
  'each rotation makes another secret': [
    'POST /oauth2/rotate-client-secret',
    'POST /admin/rotate-service-secret',
    'POST /sso/rotate-directory-token',
    'POST /sso/rotate-key',
  ],
  'a password is stored only as a hash, and sessions end': ['POST /admin/set-user-password'],
  'proves the user': [
    'POST /sign-in/access',
    'POST /sign-in/email',
    'POST /sign-in/phone-number',
    'POST /sign-in/username',
    'POST /step-up',
  ],
  'asks or mails again': [
    'POST /change-email',
    'POST /oauth2/bc-authorize',
    'POST /admin/verify-signal-receiver',
    'POST /ssf/verify',
  ],
  'reads what a record must name': [
    'POST /admin/export-attacks',
    'POST /organization/export-access-review',
    'POST /organization/export-audit',
  ],
  'begins again, with another end': ['POST /admin/block-network', 'POST /admin/raise-risk-level'],
  'walks through the sessions again': ['POST /admin/end-network-sessions'],
}

const cases = featureFolders.flatMap(({ cases, config }) =>
  cases.flatMap(({ faults = {} }) =>
    Object.entries(faults).map(([name, one]): [string, FaultCase] => [
      name,
      { ...one, config: mergeOptions(config, one.config ?? {}) },
    ]),
  ),
)

const label = { audit_records: 'action', jobs: 'kind', security_events: 'type', signal_events: 'type' }

beforeEach(async () => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  installReceivers(receiver)
  // Jobs that are done are deleted.
  await env.DB.batch([
    env.DB.prepare('create table written_rows (what text)'),
    ...Object.entries(label).map(([table, column]) =>
      env.DB.prepare(
        `create trigger note_${table} after insert on ${table}
         begin insert into written_rows values ('${table} ' || new.${column}); end`,
      ),
    ),
  ])
})

const receiver = new WebhookReceiver()

const forget = () => env.DB.prepare('delete from written_rows').run()
const written = async () =>
  (await env.DB.prepare('select what from written_rows').all<{ what: string }>()).results.map(({ what }) => what)

const withWebhooks = (config: Config) =>
  new TestApp(
    mergeOptions(config, {
      rateLimit: { enabled: false },
      webhooks: {
        endpoints: [{ url: receiver.url, events: ['*'], secrets: ['WEBHOOK_SECRET_ACME'] }],
      },
    } as Config),
    { WEBHOOK_SECRET_ACME: webhookSecret('a') } as object,
    false,
  )

it.each(
  sample(
    cases.filter(([, { endpoint }]) => !operationsIn(effective).includes(endpoint)),
    30,
  ),
)(
  '%s: the same again writes nothing',
  async (_name, { endpoint, before, input = (given: never) => given, headers, config = {} }) => {
    const [method, path] = endpoint.split(' ') as ['GET' | 'POST', string]
    const app = withWebhooks(config)
    const person = newPerson()
    const { device, given } = await before(app, person)
    const act = (from: Device) => {
      const fields = input(given as never, person)
      return method === 'GET'
        ? from.get(path, { query: fields as Record<string, string>, ...(headers && { headers }) })
        : from.post(path, fields, headers && { headers })
    }
    expect((await act(device)).status).toBeLessThan(400)
    await forget()
    const { status } = await act(device)
    // A refusal may be in the sign-in log.
    const rows = (await written()).filter((row) => status < 400 || !row.startsWith('security_events'))
    expect({ endpoint, status, rows: status < 400 ? rows : rows.filter((row) => row.startsWith('audit')) }).toEqual({
      endpoint,
      status,
      rows: [],
    })
  },
)

it('each exemption has a case', () => {
  const endpoints = cases.map(([, { endpoint }]) => endpoint)
  expect(operationsIn(effective).filter((one) => !endpoints.includes(one))).toEqual([])
})

it('a directory that writes the same again writes nothing', async () => {
  const app = withWebhooks({ enterprise: { enabled: true }, directory: { enabled: true } } as Config)
  const { scim } = await scimDirectory(app, 'acme', 'acme.example.org')
  const person = { schemas: [userUrn], userName: 'ann@acme.example.org', displayName: 'Ann', active: true }
  const { id } = (await scim('POST', '/Users', person)).body
  const group = (await scim('POST', '/Groups', { displayName: 'Staff', members: [{ value: id }] })).body
  const again = async (method: string, path: string, body: object) => {
    expect((await scim(method, path, body)).status).toBeLessThan(300)
    await forget()
    expect((await scim(method, path, body)).status).toBeLessThan(300)
    expect(await written()).toEqual([])
  }
  await again('PUT', `/Users/${id}`, person)
  await again('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'displayName', value: 'Anna' }))
  await again('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
  await again('PUT', `/Groups/${group.id}`, { displayName: 'Staff', members: [{ value: id }] })
  await again('PATCH', `/Groups/${group.id}`, patchOf({ op: 'add', path: 'members', value: [{ value: id }] }))
})
