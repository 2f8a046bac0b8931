import * as z from 'zod'
import { type EventType, eventTypes } from '../../identity/events/events.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, seconds } from '../../kit/time.ts'

/** `user.created`, or all of one kind, or all. */
export type EventPattern = EventType | `${string}.*` | '*'

/** Somebody who wants to know what happens. */
export interface WebhookEndpoint {
  /** https and public, but in development. */
  url: string
  events: EventPattern[]
  /**
   * Names of the Worker's secrets (`npx wrangler secret put WEBHOOK_SECRET_ACME`), each `whsec_` and 24 to 64 bytes in
   * base64. Several while one is replaced: a message is signed with all of them.
   */
  secrets: string[]
  /** By what its waiting messages know it, so that they follow when the URL changes. Without one, by the URL. */
  name?: string
}

const kinds = [...new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))]

export const webhookOptions = defineOptions(
  'webhooks',
  {
    endpoints: [] as WebhookEndpoint[],
    /** How long a receiver is waited for. */
    timeout: seconds(10),
    /** A message that could not be delivered for so long is given up, and waits for somebody who redelivers it. */
    giveUpAfter: days(3),
    /** How long a delivered message is kept, and one that was given up. */
    keepDelivered: days(3),
    keepFailed: days(30),
  },
  undefined,
  {
    endpoints: z.array(
      z.strictObject({
        url: z.string().min(1),
        events: z.array(z.enum([...eventTypes, ...kinds, '*'])).min(1),
        secrets: z.array(z.string().min(1)).min(1),
        name: z.string().min(1).optional(),
      }),
    ),
  },
)

export const webhooksAreOn = (options: Readonly<Record<string, unknown>>): boolean =>
  webhookOptions.of({ options }).endpoints.length > 0

export const nameOf = ({ name, url }: WebhookEndpoint): string => name ?? url

export const wants = ({ events }: WebhookEndpoint, type: EventType): boolean =>
  events.some((pattern) => pattern === '*' || pattern === type || pattern === type.replace(/\..*/, '.*'))
