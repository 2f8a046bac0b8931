import * as z from 'zod'
import type { ProductTypes, SessionFieldsOf } from '../../kit/account-types.ts'
import { additionalField } from '../../kit/additional-field.ts'
import {
  type Contradiction,
  defineOptions,
  flag,
  positive,
  type Retyped,
  section,
  zeroOrMore,
} from '../../kit/options.ts'
import { days, minutes } from '../../kit/time.ts'
import { fieldContradictions } from '../users/additional-fields.ts'

export const sessionOptions = defineOptions(
  'session',
  () =>
    section({
      /** Only the server sets these fields: by their defaults, which may be functions of the user who signs in, and by setSessionFields. */
      additionalFields: z
        .record(z.string(), additionalField().pick({ type: true, required: true, defaultValue: true, returned: true }))
        .default({}),
      /** Lifetime of a session since its last extension. */
      expiresIn: positive.default(days(7)),
      /** The maximum time from a sign-in to the end of its session, independent of extensions. */
      maxLifetime: positive.default(days(90)),
      /** The maximum number of sessions per user; a further sign-in ends the oldest. */
      maxPerUser: positive.default(100),
      /** A session is extended if its last extension is older than this. */
      updateAge: zeroOrMore.default(days(1)),
      /** How long after the sign-in a session is fresh; 0: always. */
      freshAge: zeroOrMore.default(days(1)),
      /** Lifetime of a session of a user who chooses not to be remembered. */
      shortLived: positive.default(days(1)),
      /** Whether sessions are never extended: each ends `expiresIn` after the sign-in. */
      disableSessionRefresh: flag(false),
      /** get-session may respond from a signed cookie for maxAge seconds. */
      cookieCache: section({
        /** Whether the signed cookie exists. */
        enabled: flag(true),
        /** How long a response can come from the cookie. */
        maxAge: positive.default(minutes(5)),
      }),
      /**
       * `offer`: browsers that have them are offered device-bound sessions (DBSC). A session that the browser binds to a key
       * of its device never works again with the session cookie or token alone. `off` offers none; bound sessions stay bound.
       */
      deviceBound: z.enum(['off', 'offer']).default('off'),
      /**
       * A sign-out deletes the data of this origin in the browser (Clear-Site-Data: "cache", "storage"). Turn it off if
       * pages of a product have the same origin and store their own data there.
       */
      clearSiteData: flag(true),
    }),
  {
    strict: { deviceBound: 'offer' },
    contradictions: ({ cookieCache, expiresIn, additionalFields }) => [
      [
        cookieCache.enabled && cookieCache.maxAge > expiresIn,
        'session.cookieCache.maxAge',
        'must not be longer than session.expiresIn',
      ],
      ...Object.entries(additionalFields).flatMap(([name, field]): Contradiction[] => [
        ...fieldContradictions('session', name, { ...field, required: false }),
        [
          field.required === true && field.defaultValue === undefined,
          `session.additionalFields.${name}.required`,
          'must not be true without a defaultValue: only the server sets fields of sessions',
        ],
      ]),
    ],
  },
)

export interface TypedSessionOptions<T extends ProductTypes> {
  session?: Retyped<typeof sessionOptions, { additionalFields?: SessionFieldsOf<T['product']> }>
}
