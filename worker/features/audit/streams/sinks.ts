import * as z from 'zod'
import { datadogSites } from '../../../kit/datadog-sites.ts'

const address = z.string().trim().min(1).max(2048)
const word = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w./-]*$/)

/** Whether each segment of a prefix is a name: not empty, except after the last slash, and not `.` or `..`. */
const isPrefix = (prefix: string): boolean =>
  prefix.split('/').every((segment, at, all) => (segment === '' ? at === all.length - 1 : !/^\.{1,2}$/.test(segment)))

/** The receiving system of a stream, without its secret. */
export const sink = z.discriminatedUnion('type', [
  /** A URL that takes a JSON body, signed as Standard Webhooks. */
  z.object({ type: z.literal('http'), url: address }),
  /** A bucket of S3, R2 or another storage with the same protocol. */
  z.object({
    type: z.literal('s3'),
    /** Such as `https://s3.eu-central-1.amazonaws.com`. */
    endpoint: address,
    bucket: z
      .string()
      .max(63)
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
    region: word(64).default('auto'),
    /** The beginning of the names of the objects, such as `audit/`. */
    prefix: z
      .string()
      .max(256, { abort: true })
      .regex(/^[\w./-]*$/, { abort: true })
      .refine(isPrefix)
      .default(''),
    accessKeyId: word(128),
  }),
  /** An HTTP Event Collector. */
  z.object({ type: z.literal('splunk'), url: address, index: word(128).optional() }),
  z.object({ type: z.literal('datadog'), site: z.enum(datadogSites), service: word(100).default('gatehouse') }),
])

export type Sink = z.infer<typeof sink>

export const streamFormats = ['record', 'ocsf'] as const
export type StreamFormat = (typeof streamFormats)[number]

/** Why a request of a stream failed. */
export const streamFailures = [
  'address-refused',
  'unreachable',
  'redirected',
  'credentials-refused',
  'not-found',
  'too-large',
  'busy',
  'failing',
  'rejected',
  'unconfirmed',
  'secret-unreadable',
] as const
export type StreamFailure = (typeof streamFailures)[number]

/** The address that a sink names; null for one that the configuration of the Worker fixes. */
export const sinkAddressOf = (to: Sink): string | null =>
  to.type === 's3' ? to.endpoint : to.type === 'datadog' ? null : to.url
