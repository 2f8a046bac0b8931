import * as z from 'zod'
import { type EventType, eventTypes } from '../../identity/model/events.ts'
import type { DeploymentFacts } from '../../identity/settings.ts'
import { howToSet } from '../../kit/how-to-set.ts'
import { type Contradiction, defineOptions, objectOf, positive, section } from '../../kit/options.ts'
import { isPublicAddress } from '../../kit/public-address.ts'
import { days, seconds } from '../../kit/time.ts'
import { secretOf } from '../../platform/env.ts'
import { readWebhookSecret } from './sign.ts'

/** `user.created`, all events of one kind, or all events. */
export type EventPattern = EventType | `${string}.*` | '*'

const kinds = [...new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))]
const pattern = () => z.enum([...eventTypes, ...kinds, '*']) as unknown as z.ZodType<EventPattern, EventPattern>

/** A receiver of events. */
const webhookEndpoint = () =>
  objectOf({
    /** https and public, except in development. */
    url: z.string().min(1),
    /** The types of events that it gets: a type, all of a kind (`user.*`), or `*`. */
    events: z.array(pattern()).min(1),
    /**
     * Names of the Worker's secrets (`npx wrangler secret put WEBHOOK_SECRET_ACME`, in development `.dev.vars`), each `whsec_` and 24 to 64 bytes in
     * base64. Several during a rotation: a message is signed with all of them.
     */
    secrets: z.array(z.string().min(1)).min(1),
    /** Identifies its pending messages, so that they follow a change of the URL. @default the URL */
    name: z.string().min(1).optional(),
  })

export type WebhookEndpoint = z.infer<ReturnType<typeof webhookEndpoint>>

export const webhookOptions = defineOptions(
  'webhooks',
  () =>
    section({
      /** The receivers of events. */
      endpoints: z.array(webhookEndpoint()).default([]),
      /** Timeout (s) of a request to a receiver. */
      timeout: positive.default(seconds(10)),
      /** A message that could not be delivered for this long (s) is given up. An administrator can redeliver it. */
      giveUpAfter: positive.default(days(3)),
      /** How long (s) a delivered message is stored. */
      keepDelivered: positive.default(days(3)),
      /** How long (s) a given-up message is stored. */
      keepFailed: positive.default(days(30)),
    }),
  {
    contradictions: ({ endpoints }, { env, settings }: DeploymentFacts) =>
      endpoints.flatMap((endpoint, at): Contradiction[] => {
        const { url, secrets } = endpoint
        const isAllowed = settings.environment === 'production' ? isPublicAddress(url) : isHttp(url)
        const isSecond = endpoints.map(endpointNameOf).indexOf(endpointNameOf(endpoint)) !== at
        return [
          [!isAllowed, `webhooks.endpoints.${at}.url`, addressRule],
          [isSecond, `webhooks.endpoints.${at}.name`, 'another endpoint has the same name; choose a different one'],
          ...secrets.map(
            (name): Contradiction => [readWebhookSecret(secretOf(env, name)) === null, name, secretRule(name)],
          ),
        ]
      }),
  },
)

export const webhooksAreOn = (options: Readonly<Record<string, unknown>>): boolean =>
  webhookOptions.of({ options }).endpoints.length > 0

export const endpointNameOf = ({ name, url }: WebhookEndpoint): string => name ?? url

export const wantsEvent = ({ events }: WebhookEndpoint, type: EventType): boolean =>
  events.some((pattern) => pattern === '*' || pattern === type || pattern === type.replace(/\..*/, '.*'))

const addressRule = 'must be https:// at a public host, without a port, a user or a numeric address'
const secretRule = (name: string) =>
  `is missing, or is not whsec_ and 24 to 64 bytes in base64; ${howToSet(name)}: ` +
  "node -p \"'whsec_' + crypto.randomBytes(32).toString('base64')\""

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
