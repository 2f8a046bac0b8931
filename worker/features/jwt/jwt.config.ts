import * as z from 'zod'
import type { PresentedSession } from '../../identity/sessions/present-session.ts'
import type { PresentedUser } from '../../identity/users/present-user.ts'
import type { AccountTypes, AnyAccounts, ProductTypes, SessionFieldsOf, UserFieldsOf } from '../../kit/account-types.ts'
import type { ShownFields } from '../../kit/field-types.ts'
import { callable, defineOptions, flag, positive, type Retyped, section } from '../../kit/options.ts'
import { days, minutes } from '../../kit/time.ts'
import { algorithms } from './algorithms.ts'

/** The input of `definePayload`: the result of get-session with dates as ISO text, without the session's token. */
export interface TokenSource<P extends AccountTypes = AnyAccounts> {
  user: Readonly<Record<string, unknown>> & Pick<PresentedUser, 'id'> & ShownFields<UserFieldsOf<P>>
  session: Readonly<Record<string, unknown>> & Pick<PresentedSession, 'id' | 'userId'> & ShownFields<SessionFieldsOf<P>>
}

/** Returns the claims of a session token. */
export type DefinePayload<P extends AccountTypes = AnyAccounts> = (
  source: TokenSource<P>,
) => Record<string, unknown> | Promise<Record<string, unknown>>

export const jwtOptions = defineOptions('jwt', () =>
  section({
    enabled: flag(true),
    /** `iss`; null: the base URL. */
    issuer: z.string().min(1).nullable().default(null),
    /** `aud`; null: the base URL. */
    audience: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .nullable()
      .default(null),
    /** Lifetime of a token. */
    expiresIn: positive.default(minutes(15)),
    /** The claims in addition to `iss`, `aud`, `iat` and `exp`; null: the whole user. A `sub` replaces the user's id. */
    definePayload: callable<DefinePayload>().nullable().default(null),
    /**
     * Whether the session of an API key receives tokens: with `amr: ["api_key"]` and the claim `api_key`, which
     * contains the key's id, access level and permissions. Every service that verifies tokens must read them.
     */
    forApiKeys: flag(false),
    /** Signs session tokens. Other algorithms may also sign. RSA keys have 2048 bits. */
    algorithm: z.enum(algorithms).default('EdDSA'),
    /** How long (s) a key signs before the next one replaces it; null: until rotateSigningKeys is called. */
    rotationInterval: positive.nullable().default(days(90)),
  }),
)

export interface TypedJwtOptions<T extends ProductTypes> {
  jwt?: Retyped<typeof jwtOptions, { definePayload?: DefinePayload<T['product']> | null }>
}
