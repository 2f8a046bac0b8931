import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { env, TestApp } from '../../../testing/harness.ts'
import { colleague, company, someone } from '../../../testing/organizations.ts'
import { type Answer, ok, outsideSystem, type Received, recordsIn } from '../../../testing/outside-system.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { jobsOf } from '../../../testing/states.ts'
import { passTime, stopClock } from '../../../testing/two-factor.ts'
import { readWebhookSecret, signedHeaders } from '../../webhooks/sign.ts'

beforeEach(() => {
  stopClock()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function scene(audit: object = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, session: { freshAge: 1_000_000 }, audit } as Config)
  const at = await company(app, 'acme')
  const { device } = at.owner
  const post = (name: string, body: object) => device.post(`/organization/${name}`, { organizationId: at.id, ...body })
  const create = async (sink: object, more: object = {}) =>
    (await post('create-audit-stream', { name: 'SIEM', sink, from: 'beginning', ...more })).body
  const rename = (name: string) => post('update', { data: { name } })
  const list = async () =>
    (await device.get('/organization/audit-streams', { query: { organizationId: at.id } })).body.streams
  return { app, at, device, post, create, rename, list }
}

const toUrl = { type: 'http', url: 'https://siem.acme.example.org/audit' }
const numbersIn = (received: Received[]) => received.flatMap(recordsIn).map(({ organizationSeq }) => organizationSeq)

describe('a stream to a URL', () => {
  it('sends all records in order, signed, in batches, and then only new ones', async () => {
    const { app, at, create, rename, list } = await scene({ streamBatchSize: 2 })
    const system = outsideSystem(ok)
    const { secret, id, ...stream } = await create(toUrl)
    expect(secret).toMatch(/^whsec_/)
    expect(stream).toMatchObject({ state: 'active', sink: toUrl, format: 'record' })
    for (const name of ['A', 'B', 'C', 'D']) await rename(name)
    await app.runScheduled()
    const all = (await rowsOf('audit_records')).filter((row: any) => row.organizationId === at.id)
    expect(numbersIn(system.received)).toEqual(all.map((_: unknown, n: number) => n + 1))
    expect(Math.max(...system.received.map((one) => recordsIn(one).length))).toBe(2)
    for (const { headers, body } of system.received) {
      const message = { id: headers.get('webhook-id')!, at: new Date(), body }
      expect(headers.get('webhook-signature')).toBe(
        signedHeaders(message, [readWebhookSecret(secret)!])['webhook-signature'],
      )
    }
    expect(new Set(system.received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(system.received.length)
    expect(JSON.stringify(system.received)).not.toContain(secret)
    expect(JSON.stringify(await rowsOf('audit_streams'))).not.toContain(secret)
    await rename('E')
    await app.runScheduled()
    expect(numbersIn(system.received)).toHaveLength(all.length + 1)
    expect(await list()).toMatchObject([{ id, waiting: 0, lastFailure: null, lastDeliveredAt: expect.any(String) }])
    await app.runScheduled()
    expect(numbersIn(system.received)).toHaveLength(all.length + 1)
  })

  it('a flood of one organization does not delay the stream of another', async () => {
    const { app, at, create } = await scene({ streamBatchSize: 100 })
    const system = outsideSystem(ok)
    for (let n = 0; n < 5; n++) await create(toUrl, { name: `S${n}` })
    const other = await company(app, 'other')
    const body = { organizationId: other.id, name: 'SIEM', sink: toUrl, from: 'beginning' }
    const { id } = (await other.owner.device.post('/organization/create-audit-stream', body)).body
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
       insert into audit_records (id, created_at, action, actor_type, subject_type, organization_id, organization_seq)
       select 'r' || i, ?1, 'x', 'system', 'user', ?2, 1000 + i from n`,
    )
      .bind(Date.now(), at.id)
      .run()
    await other.owner.device.post('/organization/update', { organizationId: other.id, data: { name: 'Late' } })
    await app.runEachMinute()
    const ofOther = (await rowsOf('audit_records')).filter(({ organizationId }) => organizationId === other.id)
    expect((await rowsOf('audit_streams', { id }))[0]!.cursor).toBe(ofOther.at(-1)!.organizationSeq)
    expect(system.received.length).toBeGreaterThan(1)
  })

  it('loses nothing when the receiver fails: it sends the same records again, and shows the reason', async () => {
    const { app, create, rename, list } = await scene()
    const system = outsideSystem(() => new Response('<b>Down</b> for maintenance', { status: 500 }))
    await create(toUrl)
    await rename('A')
    await app.runScheduled()
    expect(await list()).toMatchObject([{ lastFailure: { code: 'failing', detail: '500 Down for maintenance' } }])
    await rename('B')
    passTime(3600)
    system.answer = () => Promise.reject(new Error('connection refused'))
    await app.runScheduled()
    expect(await list()).toMatchObject([{ lastFailure: { code: 'unreachable' }, failingSince: expect.any(String) }])
    system.answer = ok
    const failed = system.received.splice(0)
    passTime(3600)
    await app.runScheduled()
    expect(numbersIn(failed).slice(0, 1)).toEqual([1])
    const numbers = numbersIn(system.received)
    expect(numbers).toEqual(numbers.map((_, n) => n + 1))
    expect(await list()).toMatchObject([{ waiting: 0, lastFailure: null, failingSince: null }])
  })

  it('waits as long as a busy receiver asks', async () => {
    const { app, create } = await scene()
    outsideSystem(() => new Response('slow down', { status: 429, headers: { 'retry-after': '1200' } }))
    await create(toUrl)
    await app.runScheduled()
    const [job] = await jobsOf('audit-stream')
    expect(new Date(job!.nextAt).getTime() - Date.now()).toBe(1_200_000)
  })

  it('is paused after days of failures, with a mail to the owners, and continues where it stopped', async () => {
    const { app, at, create, post, list } = await scene({ streamGiveUpAfter: 86_400 })
    const system = outsideSystem(() => new Response('no', { status: 403 }))
    const { id } = await create(toUrl)
    for (let hour = 0; hour < 30; hour += 6) {
      await app.runScheduled()
      passTime(6 * 3600)
    }
    expect(await list()).toMatchObject([{ state: 'paused', lastFailure: { code: 'credentials-refused' } }])
    const mails = (await app.mailbox()).filter(({ subject }) => subject.includes('is not sent any more'))
    expect(mails).toHaveLength(1)
    const [record] = (await rowsOf('audit_records')).filter(({ action }: any) => action === 'audit-stream-paused')
    expect(record).toMatchObject({ actorType: 'system', organizationId: at.id, subjectId: id })
    const tries = system.received.splice(0).length
    await app.runScheduled()
    expect({ tries: tries > 3, more: system.received.length }).toEqual({ tries: true, more: 0 })
    system.answer = ok
    expect((await post('update-audit-stream', { streamId: id, state: 'active' })).body).toMatchObject({
      state: 'active',
    })
    await app.runScheduled()
    const numbers = numbersIn(system.received)
    expect(numbers.slice(0, 2)).toEqual([1, 2])
    expect(await list()).toMatchObject([{ state: 'active', waiting: 0 }])
  })

  it('does not follow a redirect, and never reaches a private address or our own host', async () => {
    const { create, post, at, device } = await scene()
    const system = outsideSystem(() => new Response(null, { status: 302, headers: { location: 'https://x.example' } }))
    const { id } = await create(toUrl)
    const test = await post('test-audit-stream', { streamId: id })
    expect(test.body).toMatchObject({ failure: { code: 'redirected' } })
    expect(system.received).toHaveLength(1)
    for (const url of ['https://10.0.0.1/a', 'https://intranet/a', 'http://siem.example.org', 'ftp://siem.example.org'])
      expect((await post('create-audit-stream', { name: 'X', sink: { type: 'http', url } })).body.code).toBe(
        'INVALID_AUDIT_STREAM_ADDRESS',
      )
    expect((await device.get('/organization/audit', { query: { organizationId: at.id } })).body.entries[0].action).toBe(
      'organization.create-audit-stream',
    )
  })
})

/** An object storage that checks the signature of a request (AWS Signature Version 4), and stores the object. */
function bucketOf(accessKeyId: string, secret: string) {
  const objects = new Map<string, string>()
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const refuse = (code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status: 403 })
  const answer: Answer = ({ method, url, headers, body }) => {
    const { pathname, host } = new URL(url)
    const [, id, scope, signed, signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        headers.get('authorization') ?? '',
      ) ?? []
    if (id !== accessKeyId) return refuse('InvalidAccessKeyId')
    if (headers.get('x-amz-content-sha256') !== hash(body)) return refuse('XAmzContentSHA256Mismatch')
    const values = signed!.split(';').map((name) => `${name}:${name === 'host' ? host : headers.get(name)}\n`)
    const canonical = [method, pathname, '', values.join(''), signed, hash(body)].join('\n')
    const text = ['AWS4-HMAC-SHA256', headers.get('x-amz-date'), scope, hash(canonical)].join('\n')
    const key = scope!.split('/').reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`)
    if (hmac(key, text).toString('hex') !== signature) return refuse('SignatureDoesNotMatch')
    objects.set(pathname, body)
    return new Response(null, { status: 200 })
  }
  return { objects, answer }
}

describe('a stream to a bucket', () => {
  const sink = {
    type: 's3',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    bucket: 'acme-audit',
    region: 'eu-central-1',
  }

  it('writes an object for each batch, signed with Signature Version 4', async () => {
    const { app, create, rename } = await scene()
    const bucket = bucketOf('AKIAEXAMPLE', 'the secret access key')
    outsideSystem(bucket.answer)
    await create(
      { ...sink, prefix: 'logs/', accessKeyId: 'AKIAEXAMPLE' },
      { secret: 'the secret access key', format: 'ocsf' },
    )
    await rename('A')
    await app.runScheduled()
    const [[name, body]] = [...bucket.objects] as [[string, string]]
    expect(name).toMatch(/^\/acme-audit\/logs\/\d{4}\/\d\d\/\d\d\/0{11}1-\d{12}\.ndjson$/)
    const events = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ metadata }) => metadata.sequence)).toEqual(events.map((_, n) => n + 1))
    expect(events[0]).toMatchObject({ category_uid: 3, message: 'organization.create' })
  })

  it('names a wrong key, and needs a secret', async () => {
    const { create, post } = await scene()
    outsideSystem(bucketOf('AKIAEXAMPLE', 'right').answer)
    const { id } = await create({ ...sink, accessKeyId: 'AKIAEXAMPLE' }, { secret: 'wrong' })
    const { body } = await post('test-audit-stream', { streamId: id })
    expect(body).toEqual({ failure: { code: 'credentials-refused', detail: '403 SignatureDoesNotMatch' } })
    await post('update-audit-stream', { streamId: id, secret: 'right' })
    expect((await post('test-audit-stream', { streamId: id })).body).toEqual({ failure: null })
    expect((await create({ ...sink, accessKeyId: 'AKIAEXAMPLE' })).code).toBe('AUDIT_STREAM_SECRET_IS_REQUIRED')
  })
})

/** An HTTP Event Collector of Splunk with its codes; with `acknowledges` it confirms a batch when it is asked to. */
function collector(token: string, acknowledges: boolean) {
  const events: any[] = []
  const state = { indexed: true, nextAck: 0 }
  const reply = (status: number, text: string, code: number) => Response.json({ text, code }, { status })
  const answer: Answer = ({ url, headers, body }) => {
    if (headers.get('authorization') !== `Splunk ${token}`) return reply(403, 'Invalid token', 4)
    const channel = headers.get('x-splunk-request-channel')
    if (acknowledges && !channel) return reply(400, 'Data channel is missing', 10)
    if (acknowledges && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(channel!))
      return reply(400, 'Invalid data channel', 11)
    if (new URL(url).pathname === '/services/collector/ack') {
      const asked: number[] = JSON.parse(body).acks
      return Response.json({ acks: Object.fromEntries(asked.map((id) => [id, state.indexed])) })
    }
    if (body === '') return reply(400, 'No data', 5)
    events.push(...body.split('\n').map((line) => JSON.parse(line)))
    return Response.json({ text: 'Success', code: 0, ...(acknowledges ? { ackId: state.nextAck++ } : {}) })
  }
  return { events, state, answer }
}

describe('a stream to Splunk', () => {
  const sink = { type: 'splunk', url: 'https://http-inputs-acme.splunkcloud.com', index: 'audit' }

  it('sends events with their time, and names a refused token', async () => {
    const { app, create, post, list } = await scene()
    const splunk = collector('token', false)
    outsideSystem(splunk.answer)
    const { id } = await create(sink, { secret: 'other' })
    expect((await post('test-audit-stream', { streamId: id })).body).toMatchObject({
      failure: { code: 'credentials-refused', detail: expect.stringContaining('Invalid token') },
    })
    await post('update-audit-stream', { streamId: id, secret: 'token' })
    await app.runScheduled()
    expect(splunk.events[0]).toMatchObject({ sourcetype: 'gatehouse:audit', index: 'audit', time: expect.any(Number) })
    expect(splunk.events.map(({ event }) => event.organizationSeq)).toEqual(splunk.events.map((_, n) => n + 1))
    expect(await list()).toMatchObject([{ waiting: 0 }])
  })

  it('waits for the acknowledgment of the indexer, and sends again without one', async () => {
    const { app, create, list } = await scene()
    const splunk = collector('token', true)
    outsideSystem(splunk.answer)
    splunk.state.indexed = false
    await create(sink, { secret: 'token' })
    await app.runScheduled()
    const sent = splunk.events.length
    expect(await list()).toMatchObject([{ waiting: sent }])
    passTime(300)
    await app.runScheduled()
    expect(splunk.events).toHaveLength(sent)
    passTime(600)
    await app.runScheduled()
    expect(await list()).toMatchObject([{ waiting: sent, lastFailure: { code: 'unconfirmed' } }])
    passTime(600)
    await app.runScheduled()
    expect(splunk.events).toHaveLength(2 * sent)
    splunk.state.indexed = true
    passTime(300)
    await app.runScheduled()
    expect(await list()).toMatchObject([{ waiting: 0, lastFailure: null }])
    expect(splunk.events).toHaveLength(2 * sent)
  })
})

describe('a stream to Datadog', () => {
  it('sends logs to the intake of its site, and divides what is too large for one request', async () => {
    const { app, at, create, rename } = await scene()
    const logs: any[][] = []
    const system = outsideSystem(({ headers, body }) => {
      if (headers.get('dd-api-key') !== 'key') return Response.json({ errors: ['Forbidden'] }, { status: 403 })
      if (body.length > 5_000_000) return Response.json({ errors: ['Payload too large'] }, { status: 413 })
      logs.push(JSON.parse(body))
      return Response.json({}, { status: 202 })
    })
    await create({ type: 'datadog', site: 'datadoghq.eu' }, { secret: 'key' })
    await rename('A')
    await env.DB.prepare("update audit_records set after = json_object('text', ?) where organization_id = ?")
      .bind('x'.repeat(500_000), at.id)
      .run()
    await app.runScheduled()
    expect(system.received[0]!.url).toBe('https://http-intake.logs.datadoghq.eu/api/v2/logs')
    expect(logs.map((batch) => batch.length)).toEqual(logs.map(() => 1))
    expect(logs.flat().map(({ audit }) => audit.organizationSeq)).toEqual(logs.map((_, n) => n + 1))
    expect(logs[0]![0]).toMatchObject({ ddsource: 'gatehouse', service: 'gatehouse', date: expect.any(String) })
  })
})

describe('streams', () => {
  it('are changed by owners alone, in one organization, up to the maximum', async () => {
    const { app, at, create, post, list } = await scene({ maxStreams: 1 })
    outsideSystem(ok)
    const { id } = await create(toUrl)
    expect((await create(toUrl)).code).toBe('MAXIMUM_NUMBER_OF_AUDIT_STREAMS_REACHED')
    const carol = await colleague(app, at, 'Carol')
    await post('update-member-role', { memberId: carol.member, role: 'admin' })
    const other = await company(app, 'other', await someone(app, 'Olga'))
    for (const [device, organizationId, code] of [
      [carol.device, at.id, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS'],
      [other.owner.device, at.id, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'],
      [other.owner.device, other.id, 'AUDIT_STREAM_NOT_FOUND'],
    ] as const) {
      for (const path of ['update-audit-stream', 'delete-audit-stream', 'test-audit-stream'])
        expect((await device.post(`/organization/${path}`, { organizationId, streamId: id })).body.code).toBe(code)
    }
    expect((await carol.device.get('/organization/audit-streams', { query: { organizationId: at.id } })).status).toBe(
      200,
    )
    expect((await post('delete-audit-stream', { streamId: id })).status).toBe(200)
    expect(await list()).toEqual([])
  })
})
