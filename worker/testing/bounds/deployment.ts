import { maxBlocks } from '../../features/risk/threats/threats.contract.ts'
import { maxAttacksPerDay } from '../../features/risk/threats/threats.store.ts'
import { perKey } from '../../features/server-keys/idempotency.ts'
import { serverKeyOptions } from '../../features/server-keys/server-keys.config.ts'
import { sharedSignalOptions } from '../../features/shared-signals/shared-signals.config.ts'
import { auditOptions } from '../../identity/audit/audit.config.ts'
import { securityLogOptions } from '../../identity/audit/security-log.config.ts'
import { administrator } from '../admins.ts'
import type { Device } from '../harness.ts'
import { company, someone } from '../organizations.ts'
import { installReceivers, WebhookReceiver } from '../outside/webhook-receiver.ts'
import { backEnd } from '../server-keys.ts'
import { type Bound, type Bounds, daily, insertCopies, post, spendCounter, spendDay, tooMany } from './bounds.ts'

/** Bounds of logs, jobs, keys of servers and what the deployment keeps about itself. */

const receiver = new WebhookReceiver()
const { auditPerActor } = securityLogOptions.defaults
const { maxReceivers } = sharedSignalOptions.defaults
/** The default, 10,000, takes long to write. */
const maxWaiting = 500
const { maxStreams } = auditOptions.defaults
const signals = { sharedSignals: { registration: true } }

const newReceiver = { name: 'Acme', audience: 'https://acme.example.com', events: ['session-revoked' as const] }
const streamRow = {
  ...{ id: 's#', name: 'S#', sink: { type: 'http' as const, url: 'https://siem.example.org' }, secret: 'x' },
  ...{ format: 'record' as const, state: 'paused' as const, cursor: 0, createdAt: new Date(1) },
}
const newStream = { name: 'SIEM', sink: { type: 'http', url: 'https://siem.acme.example.org/audit' } }

const ofAdministrator = (
  path: `/${string}`,
  max: number,
  code: string,
  fillTo: (have: number) => Promise<void>,
  body: (n: number) => object,
  config: Bound['config'] = {},
): Bound => ({
  by: `an administrator: POST ${path}`,
  max,
  per: 'deployment',
  config,
  beyond: { status: 403, code },
  async reach(app, have) {
    const { device } = await administrator(app)
    await fillTo(have)
    return post(device, path, body)
  },
})

const rename = (device: Device) => post(device, '/update-user', (n) => ({ name: `Name ${n}` }))

export const deploymentBounds: Bounds = {
  audit_records: [
    {
      by: 'a user: POST /update-user',
      max: auditPerActor,
      per: 'user and day',
      beyond: 'none',
      async reach(app, have) {
        const { device, id } = await someone(app, 'Max')
        await spendDay(`user:${id}`, have)
        return rename(device)
      },
    },
    {
      by: 'the members of an organization: POST /organization/update',
      max: securityLogOptions.defaults.auditPerOrganization,
      per: 'organization and day',
      beyond: 'none',
      async reach(app, have) {
        const { id, owner } = await company(app, 'acme')
        await spendDay(`organization:${id}`, have)
        return post(owner.device, '/organization/update', (n) => ({ organizationId: id, data: { name: `A${n}` } }))
      },
    },
  ],
  audit_budgets: [
    {
      by: 'a user: POST /update-user',
      max: 1,
      per: 'actor and day',
      beyond: 'none',
      async reach(app) {
        const { device } = await someone(app, 'Max')
        await rename(device)(0)
        return rename(device)
      },
    },
  ],
  audit_chains: 'The cron trigger writes one row of each organization with a record.',
  audit_erasures: 'One row for each deleted user, who no longer exists, until the archive is rewritten.',
  audit_segments: 'The cron trigger writes one row for up to 4,000 records, which leave the table of records.',
  audit_segment_parts: 'The cron trigger writes at most one row for each record, which leaves the table of records.',
  audit_checkpoints: 'The cron trigger writes at most two a day of each organization with a new record.',
  audit_streams: [
    ofAdministrator(
      '/admin/create-audit-stream',
      maxStreams,
      'MAXIMUM_NUMBER_OF_AUDIT_STREAMS_REACHED',
      (have) => insertCopies('audit_streams', have, streamRow),
      () => newStream,
    ),
    {
      by: 'an owner: POST /organization/create-audit-stream',
      max: maxStreams,
      per: 'organization',
      beyond: { status: 403, code: 'MAXIMUM_NUMBER_OF_AUDIT_STREAMS_REACHED' },
      async reach(app, have) {
        const { id, owner } = await company(app, 'acme')
        await insertCopies('audit_streams', have, { ...streamRow, organizationId: id })
        return post(owner.device, '/organization/create-audit-stream', () => newStream)
      },
    },
  ],
  server_keys: [
    ofAdministrator(
      '/admin/create-server-key',
      serverKeyOptions.defaults.maxKeys,
      'MAXIMUM_NUMBER_OF_SERVER_KEYS_REACHED',
      (have) =>
        insertCopies('server_keys', have, {
          ...{ id: 'k#', name: 'K', start: 'k', keyHash: 'h#', permissions: [], addresses: [], createdAt: new Date(1) },
        }),
      () => ({ name: 'billing', permissions: ['users:read'] }),
    ),
  ],
  server_requests: [
    {
      by: 'a server key: writes with an Idempotency-Key',
      max: perKey.max,
      per: 'server key and day',
      beyond: tooMany,
      async reach(app, have) {
        const { id, call } = await backEnd(app)
        const { id: userId } = await someone(app, 'Max')
        await spendCounter(`idempotency:${id}`, perKey, have)
        return (n) => call('updateUser', { userId, data: { name: `Name ${n}` } }, { 'idempotency-key': `key-${n}` })
      },
    },
  ],
  signal_receivers: [
    ofAdministrator(
      '/admin/create-signal-receiver',
      maxReceivers,
      'MAXIMUM_NUMBER_OF_SIGNAL_RECEIVERS_REACHED',
      (have) =>
        insertCopies('signal_receivers', have, {
          ...newReceiver,
          ...{ id: 'r#', tokenHash: 't#', status: 'enabled', createdAt: new Date(1) },
        }),
      () => newReceiver,
      signals,
    ),
  ],
  signal_events: [
    {
      by: 'a user: changes that a polling receiver hears of; the cron trigger deletes the oldest',
      max: maxWaiting,
      per: 'receiver (sharedSignals.maxWaiting)',
      config: { sharedSignals: { registration: true, maxWaiting } },
      beyond: 'none',
      async reach(app, have) {
        const { device } = await administrator(app)
        const { body } = await device.post('/admin/create-signal-receiver', newReceiver)
        await insertCopies('signal_events', have, {
          id: 'e#',
          receiverId: body.id,
          payload: '{}',
          createdAt: new Date(),
        })
        return async () => {
          const user = await someone(app, 'Max')
          const answer = await user.device.post('/sign-out')
          await app.runScheduled()
          return answer
        }
      },
    },
  ],
  jobs: [
    {
      by: 'a user: changes with a webhook to an endpoint that does not answer',
      max: daily.user,
      per: 'user and day',
      config: {
        webhooks: { endpoints: [{ url: receiver.url, events: ['user.*'], secrets: ['WEBHOOK_SECRET_ACME'] }] },
      },
      environment: { WEBHOOK_SECRET_ACME: receiver.secret },
      beyond: tooMany,
      async reach(app, have) {
        installReceivers(receiver)
        receiver.answers = 500
        const { device, id } = await someone(app, 'Max')
        await spendDay(`user:${id}`, have)
        return rename(device)
      },
    },
  ],
  billing_customers: 'The webhooks of the provider write one row of each customer; they need its signature.',
  billing_entitlements: 'The webhooks of the provider write one row of each purchase; they need its signature.',
  billing_products: 'The provider’s API returns the configured products, at most 100.',
  rate_limits: [
    {
      by: 'an address: requests, with rateLimit.storage database',
      max: 1,
      per: 'address and path',
      config: { rateLimit: { enabled: true, storage: 'database' } },
      beyond: 'none',
      async reach(app) {
        const device = app.device()
        const ask = () => device.get('/ok')
        await ask()
        return ask
      },
    },
  ],
  jwks: 'The deployment makes one key of each generation.',
  stored_secrets: 'The deployment makes one secret of each purpose.',
  deployment: 'One row.',
  resealing: 'The cron trigger writes one row of each sealed column.',
  table_counts: 'Triggers write one row of each counted table.',
  hourly_counts: 'The cron trigger writes five numbers of each hour.',
  attacks: [
    {
      by: 'a visitor: POST /sign-in/email from networks whose passwords are refused',
      max: maxAttacksPerDay,
      per: 'deployment and day',
      config: { risk: { networkFailures: { max: 1, window: 600 } } },
      beyond: 'none',
      async reach(app, have) {
        const [startedAt, until] = [new Date(), new Date(Date.now() + 1e6)]
        await insertCopies('attacks', have, { id: 'a#', key: 'network:#', kind: 'network', startedAt, until })
        const fail = (device: Device) =>
          device.post('/sign-in/email', { email: 'a@example.com', password: 'wrong-password' })
        return async (n) => {
          const device = app.device(`198.51.${100 + n}.7`)
          await fail(device)
          return fail(device)
        }
      },
      status: 401,
    },
  ],
  defences: [
    {
      by: 'an administrator: POST /admin/block-network',
      max: maxBlocks,
      per: 'deployment',
      beyond: { status: 400, code: 'TOO_MANY_BLOCKS' },
      async reach(app, have) {
        const { device } = await administrator(app)
        const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 1e6)]
        await insertCopies('defences', have, {
          ...{ id: 'd#', kind: 'block', network: 'AS#', createdBy: 'x', createdAt, expiresAt },
        })
        return (n) => device.post('/admin/block-network', { network: `203.0.113.${n}` })
      },
    },
  ],
  daily_counts: 'The cron trigger writes the kinds and labels of a day.',
  active_days: 'The cron trigger writes one row of each day.',
  count_progress: 'The cron trigger writes one row of each kind of number.',
}
