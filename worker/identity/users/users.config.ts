import * as z from 'zod'
import { additionalField } from '../../kit/additional-field.ts'
import type { ProductTypes, UserFieldsOf } from '../../kit/field-types.ts'
import { defineOptions, flag, positive, type Retyped, section } from '../../kit/options.ts'
import { days } from '../../kit/time.ts'
import { fieldContradictions } from './additional-fields.ts'

export const userOptions = defineOptions(
  'user',
  section({
    additionalFields: z.record(z.string(), additionalField).default({}),
    changeEmail: section({ enabled: flag(false) }),
    deleteUser: section({
      enabled: flag(false),
      /** A mailed link confirms the deletion. */
      sendDeleteAccountVerification: flag(false),
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
  user?: Retyped<typeof userOptions, { additionalFields?: UserFieldsOf<T['fields']> }>
}
