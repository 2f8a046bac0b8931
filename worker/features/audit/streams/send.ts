import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { Fault } from '../../../kit/errors.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { type DeploymentAddress, isClientAddress } from '../../../kit/public-address.ts'
import { type Outside, readText } from '../../../platform/outside.ts'
import { readWebhookSecret, signedHeaders } from '../../webhooks/sign.ts'
import { type Sink, type StreamFailure, sinkAddressOf } from './sinks.ts'
import type { LastFailure } from './streams.table.ts'

/** A request of a stream failed. */
export class SinkFailure extends Error {
  override name = 'SinkFailure'
  readonly failure: LastFailure
  /** @param pause seconds until a retry may succeed, if the receiver names them */
  constructor(
    code: StreamFailure,
    detail: string | null,
    readonly pause?: number,
  ) {
    super(detail === null ? code : `${code}: ${detail}`)
    this.failure = { code, detail }
  }
}

export interface Batch {
  streamId: string
  organizationId: string | null
  /** The numbers of its first and last record. */
  first: number
  last: number
  /** Each as JSON, with its time. */
  records: readonly { json: string; at: Date }[]
}

export interface SendContext {
  outside: Outside
  place: DeploymentAddress
  /** Allowed ports of addresses. */
  ports: readonly number[]
  now: Date
  /** Seconds. */
  timeout: number
}

/** The id with which Splunk confirms a batch; null: the receiver has it. */
export type Receipt = number | null

/** Sends a batch to a sink. @throws SinkFailure */
export async function sendBatch(context: SendContext, to: Sink, secret: string, batch: Batch): Promise<Receipt> {
  const request = await requestOf(context, to, secret, batch)
  const text = await ask(context, request)
  if (to.type !== 'splunk') return null
  const { ackId } = parse(text)
  return typeof ackId === 'number' ? ackId : null
}

/** Whether Splunk has indexed a batch. @throws SinkFailure */
export async function isConfirmed(
  context: SendContext,
  to: Extract<Sink, { type: 'splunk' }>,
  secret: string,
  streamId: string,
  ackId: number,
): Promise<boolean> {
  const request = splunkRequest(to, secret, streamId, '/services/collector/ack', JSON.stringify({ acks: [ackId] }))
  const { acks } = parse(await ask(context, request))
  return typeof acks === 'object' && acks !== null && (acks as Record<string, unknown>)[ackId] === true
}

interface SinkRequest {
  method: 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body: string
}

async function requestOf(context: SendContext, to: Sink, secret: string, batch: Batch): Promise<SinkRequest> {
  switch (to.type) {
    case 'http':
      return httpRequest(context, to, secret, batch)
    case 's3':
      return bucketRequest(context, to, secret, batch)
    case 'splunk':
      return splunkRequest(to, secret, batch.streamId, '/services/collector/event', splunkEvents(to, batch))
    case 'datadog':
      return datadogRequest(to, secret, batch)
  }
}

const hexHash = (text: string) => createHash('sha256').update(text).digest('hex')

const jsonList = ({ records }: Batch) => `[${records.map(({ json }) => json).join(',')}]`

/** Standard Webhooks: a retry of the same records has the same id. */
function httpRequest(
  { now }: SendContext,
  { url }: Extract<Sink, { type: 'http' }>,
  secret: string,
  batch: Batch,
): SinkRequest {
  const { organizationId, streamId, first, last } = batch
  const key = readWebhookSecret(secret)
  if (key === null) throw new SinkFailure('secret-unreadable', null)
  const body = `{"type":"audit.records","timestamp":${JSON.stringify(now.toISOString())},"data":{"organizationId":${JSON.stringify(organizationId)},"records":${jsonList(batch)}}}`
  const id = `audit_${streamId}_${first}_${last}`
  const headers = { 'content-type': 'application/json', ...signedHeaders({ id, at: now, body }, [key]) }
  return { method: 'POST', url, headers, body }
}

/** Digits of a number in the name of an object, so that names sort by number. */
const digits = 12

/**
 * An object for each batch: `audit/2026/05/04/000000000001-000000000020.ndjson`. The name contains both numbers, because
 * an earlier request that arrives late must not replace an object with more records.
 */
async function bucketRequest(
  { now }: SendContext,
  { endpoint, bucket, region, prefix, accessKeyId }: Extract<Sink, { type: 's3' }>,
  secret: string,
  { first, last, records }: Batch,
): Promise<SinkRequest> {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '/')
  const [from, to] = [first, last].map((number) => String(number).padStart(digits, '0'))
  const body = records.map(({ json }) => `${json}\n`).join('')
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: `${endpoint.replace(/\/$/, '')}/${bucket}/${prefix}${day}/${from}-${to}.ndjson`,
    headers: { 'content-type': 'application/x-ndjson', 'x-amz-content-sha256': hexHash(body) },
    body,
    accessKeyId,
    secretAccessKey: secret,
    service: 's3',
    region,
    // 20260504T120000Z
    datetime: now.toISOString().replace(/[-:]|\.\d{3}/g, ''),
  })
  const { url, headers } = await signer.sign()
  return { method: 'PUT', url: String(url), headers: Object.fromEntries(headers), body }
}

/** Events of one request follow each other; the time is in seconds. */
const splunkEvents = ({ index }: Extract<Sink, { type: 'splunk' }>, { records }: Batch): string =>
  records
    .map(({ json, at }) => {
      const facts = { time: at.getTime() / 1000, source: 'gatehouse', sourcetype: 'gatehouse:audit', index }
      return `${JSON.stringify(facts).slice(0, -1)},"event":${json}}`
    })
    .join('\n')

/** A token with indexer acknowledgment requires a channel, which others ignore: one for each stream. */
function splunkRequest(
  { url }: Extract<Sink, { type: 'splunk' }>,
  secret: string,
  streamId: string,
  path: string,
  body: string,
): SinkRequest {
  const channel = hexHash(streamId).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
  const headers = {
    'content-type': 'application/json',
    authorization: `Splunk ${secret}`,
    'x-splunk-request-channel': channel,
  }
  return { method: 'POST', url: String(new URL(path, url)), headers, body }
}

function datadogRequest(
  { site, service }: Extract<Sink, { type: 'datadog' }>,
  secret: string,
  { records }: Batch,
): SinkRequest {
  const logs = records.map(
    ({ json, at }) =>
      `${JSON.stringify({ ddsource: 'gatehouse', service, date: at.toISOString() }).slice(0, -1)},"audit":${json}}`,
  )
  return {
    method: 'POST',
    url: `https://http-intake.logs.${site}/api/v2/logs`,
    headers: { 'content-type': 'application/json', 'dd-api-key': secret },
    body: `[${logs.join(',')}]`,
  }
}

/** What is read of an answer (bytes), and shown of it. */
const maxAnswer = 64 * 1024
const maxDetail = 200

/** @returns the body of a successful answer @throws SinkFailure */
async function ask({ outside, timeout }: SendContext, { method, url, headers, body }: SinkRequest): Promise<string> {
  let answer: Response
  let text: string
  try {
    answer = await outside(url, { method, headers, body, timeout })
    text = (await readText(answer, maxAnswer)) ?? ''
  } catch (thrown) {
    const cause = thrown instanceof Fault ? thrown.cause : thrown
    throw new SinkFailure('unreachable', detailOf(cause instanceof Error ? cause.message : ''))
  }
  if (answer.ok) return text
  const after = Number(answer.headers.get('retry-after'))
  throw new SinkFailure(
    codeOf(answer.status),
    detailOf(`${answer.status} ${text.replace(/<[^<>]*>/g, ' ')}`),
    after > 0 ? after : undefined,
  )
}

function codeOf(status: number): StreamFailure {
  if (status >= 300 && status < 400) return 'redirected'
  if (status === 401 || status === 403) return 'credentials-refused'
  if (status === 404) return 'not-found'
  if (status === 413) return 'too-large'
  if (status === 408 || status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'failing' : 'rejected'
}

const detailOf = (text: string): string | null => plainWords(text, maxDetail) || null

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whether records may be sent to a sink. Checked for each request, because a deployment may move to another domain. */
export function mayReach(place: DeploymentAddress, to: Sink, ports: readonly number[]): boolean {
  const address = sinkAddressOf(to)
  return address === null || isClientAddress(address, place, ports)
}

/** The bytes of records of one request: a collector of Splunk takes 1 MB. */
export const maxBatchBytes = 900_000

/** The records of a batch: at least one, and as many as fit. */
export function fitting<R extends { json: string }>(records: readonly R[]): R[] {
  let size = 0
  const end = records.findIndex(({ json }) => {
    size += Buffer.byteLength(json)
    return size > maxBatchBytes
  })
  return records.slice(0, end === -1 ? records.length : Math.max(1, end))
}
