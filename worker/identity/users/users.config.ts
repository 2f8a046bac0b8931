import * as z from 'zod'
import type { ProductTypes, UserFieldsOf } from '../../kit/account-types.ts'
import { additionalField } from '../../kit/additional-field.ts'
import { defineOptions, flag, limitOf, positive, type Retyped, section } from '../../kit/options.ts'
import { days, hours } from '../../kit/time.ts'
import { fieldContradictions } from './additional-fields.ts'

export const userOptions = defineOptions(
  'user',
  () =>
    section({
      /** Fields of users in addition to the built-in ones, by name. */
      additionalFields: z.record(z.string(), additionalField()).default({}),
      /**
       * Users that visitors of a network (an IPv4 /24 or an IPv6 /48) create, guests included; null: no limit. Users of an
       * administrator, a server, a directory or the identity provider of an organization do not count.
       */
      signUpsPerNetwork: limitOf(300, hours(1)).nullable(),
      changeEmail: section({
        /** Whether users can change their address. */
        enabled: flag(false),
      }),
      deleteUser: section({
        /** Whether users can delete their account. */
        enabled: flag(false),
        /** A mailed link confirms the deletion. */
        sendDeleteAccountVerification: flag(false),
        /** Lifetime of that link. */
        deleteTokenExpiresIn: positive.default(days(1)),
      }),
    }),
  {
    contradictions: ({ deleteUser, additionalFields }) => [
      [
        deleteUser.sendDeleteAccountVerification && !deleteUser.enabled,
        'user.deleteUser.sendDeleteAccountVerification',
        'must not be true while user.deleteUser.enabled is false',
      ],
      ...Object.entries(additionalFields).flatMap(([name, field]) => fieldContradictions('user', name, field)),
    ],
  },
)

export interface TypedUserOptions<T extends ProductTypes> {
  user?: Retyped<typeof userOptions, { additionalFields?: UserFieldsOf<T['product']> }>
}
