import * as z from 'zod'
import type { PresentedSession } from '../../identity/sessions/present-session.ts'
import type { PresentedUser } from '../../identity/users/present-user.ts'
import { callable, positive } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, minutes } from '../../kit/time.ts'
import { type Algorithm, algorithms } from './algorithms.ts'

/** What a token may be made from: what get-session answers, dates as ISO text, and without the session's own token. */
export interface TokenSource {
  user: Readonly<Record<string, unknown>> & Pick<PresentedUser, 'id'>
  session: Readonly<Record<string, unknown>> & Pick<PresentedSession, 'id' | 'userId'>
}

export const jwtOptions = defineOptions(
  'jwt',
  {
    enabled: true,
    /** `iss`; null: the base URL. */
    issuer: null as string | null,
    /** `aud`; null: the base URL. */
    audience: null as string | string[] | null,
    expiresIn: minutes(15),
    /** The claims besides `iss`, `aud`, `iat` and `exp`; null: the whole user. A `sub` among them replaces the user's id. */
    definePayload: null as ((source: TokenSource) => Record<string, unknown> | Promise<Record<string, unknown>>) | null,
    /** What signs session tokens. Other algorithms may sign beside it. RSA keys have 2048 bits. */
    algorithm: 'EdDSA' as Algorithm,
    /** A key signs for so long, then the next one does; null: until rotateSigningKeys is called. */
    rotationInterval: days(90) as number | null,
  },
  undefined,
  {
    issuer: z.string().min(1).nullable(),
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).nullable(),
    definePayload: callable().nullable(),
    algorithm: z.enum(algorithms),
    rotationInterval: positive.nullable(),
  },
)
