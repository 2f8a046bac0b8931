import * as z from 'zod'
import type { User } from '../../identity/model/users.table.ts'
import type { ProductTypes } from '../../kit/account-types.ts'
import { callable, defineOptions, flag, limitOf, positive, type Retyped, section } from '../../kit/options.ts'
import { days, hours } from '../../kit/time.ts'
import type { AnyEnv, EnvOf } from '../../platform/env.ts'

/** Moves the application's data of a guest to a user. */
export type LinkAccount<Own = AnyEnv> = (
  link: { anonymousUser: User; newUser: User },
  context: { env: EnvOf<Own> },
) => void | Promise<void>

export const anonymousOptions = defineOptions('anonymous', () =>
  section({
    enabled: flag(true),
    /** The domain of a guest's placeholder address. @default the host of the base URL */
    emailDomainName: z.string().min(1).nullable().default(null),
    /** The maximum number of guests that one address (IPv6: one /64) creates. */
    guestsPerAddress: limitOf(100, hours(1)),
    /** A guest without a way to sign in is deleted, with all data, this long after the last use; null: never. */
    guestLifetime: positive.min(days(1)).nullable().default(days(30)),
    /** A guest who signs in to a real account is kept. */
    disableDeleteAnonymousUser: flag(false),
    /** @default 'Anonymous' */
    generateName: callable<() => string>().nullable().default(null),
    /** Moves the application's data of a guest to the user, before the guest is deleted. */
    onLinkAccount: callable<LinkAccount>().nullable().default(null),
  }),
)

export interface TypedAnonymousOptions<T extends ProductTypes> {
  anonymous?: Retyped<typeof anonymousOptions, { onLinkAccount?: LinkAccount<T['env']> | null }>
}
