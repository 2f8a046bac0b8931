import * as z from 'zod'
import type { DeploymentFacts } from '../../identity/settings.ts'
import { howToSet } from '../../kit/how-to-set.ts'
import { type Contradiction, defineOptions, flag, objectOf, positive, section } from '../../kit/options.ts'
import { isPublicAddress } from '../../kit/public-address.ts'
import { days, seconds } from '../../kit/time.ts'
import { secretOf } from '../../platform/env.ts'
import { signalTypes } from './signal-types.ts'

/** A receiver of security events. */
const signalReceiver = () =>
  objectOf({
    /** Identifies its pending events, so that they follow a change of the URL. */
    name: z.string().regex(/^[\w-]{1,64}$/),
    /** Gets events by push (RFC 8935). https and public, except in development. */
    url: z.string().min(1),
    /** The `aud` of its events, as the receiver names itself. */
    audience: z.string().min(1),
    /** The events that it gets. @default all */
    events: z
      .array(z.enum(signalTypes))
      .min(1)
      .default([...signalTypes]),
    /**
     * The name of a secret of the Worker (`npx wrangler secret put SIGNALS_ACME`, in development `.dev.vars`): the value of the header Authorization, such as
     * `Bearer …`. @default no header
     */
    authorization: z.string().min(1).optional(),
  })

export type SignalReceiver = z.infer<ReturnType<typeof signalReceiver>>

export const sharedSignalOptions = defineOptions(
  'sharedSignals',
  () =>
    section({
      /** The receivers of security events (OpenID Shared Signals Framework 1.0). */
      receivers: z.array(signalReceiver()).max(50).default([]),
      /** Whether administrators register further receivers at `/admin/signal-receivers`, which push or poll. */
      registration: flag(false),
      /** The maximum number of registered receivers. */
      maxReceivers: positive.max(100).default(20),
      /** Events that wait for a polling receiver; the oldest ones beyond it are deleted. */
      maxWaiting: positive.default(10_000),
      /** Timeout (s) of a request to a receiver. */
      timeout: positive.default(seconds(10)),
      /** An event that could not be delivered for this long (s) is given up. An administrator can redeliver it. */
      giveUpAfter: positive.default(days(3)),
      /** How long (s) a given-up event is stored. */
      keepFailed: positive.default(days(30)),
    }),
  {
    contradictions: ({ receivers }, { env, settings }: DeploymentFacts) =>
      receivers.flatMap(({ name, url, authorization }, at): Contradiction[] => {
        const isAllowed = isReceiverAddress(url, settings.environment)
        const isSecond = receivers.findIndex((one) => one.name === name) !== at
        return [
          [!isAllowed, `sharedSignals.receivers.${at}.url`, addressRule],
          [
            isSecond,
            `sharedSignals.receivers.${at}.name`,
            'another receiver has the same name; choose a different one',
          ],
          [
            authorization !== undefined && !secretOf(env, authorization),
            authorization ?? '',
            secretRule(authorization),
          ],
        ]
      }),
  },
)

export function sharedSignalsAreOn(options: Readonly<Record<string, unknown>>): boolean {
  const { receivers, registration } = sharedSignalOptions.of({ options })
  return registration || receivers.length > 0
}

const addressRule = 'must be https:// at a public host, without a port, a user or a numeric address'
const secretRule = (name: string | undefined) => `is missing; ${howToSet(String(name))}`

/** Whether events may be sent to a URL. */
export const isReceiverAddress = (url: string, environment: string): boolean =>
  environment === 'production' ? isPublicAddress(url) : isHttp(url)

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
