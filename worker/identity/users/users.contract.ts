import * as z from 'zod'
import { addressPattern, maxAddress, readAddress } from '../../kit/email-address.ts'
import { lengthOf } from '../../kit/text-length.ts'
import type { User } from '../model/users.table.ts'

/** An object schema whose type has more optional fields. */
export type Extended<Schema extends z.ZodObject, Fields> = z.ZodObject<
  Schema['shape'] & { [K in keyof Fields]-?: z.ZodOptional<z.ZodType<Exclude<Fields[K], undefined>>> },
  z.core.$loose
>

/** Schemas of a user in responses; see present-user.ts. */

const userShape = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.string().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'User' })

type Internal =
  | 'emailIsPlaceholder'
  | 'additionalFields'
  | 'securityVersion'
  | 'language'
  | `${string}${'Changed' | 'Seen'}At`

/** Fields of features (`shows`) and of the configuration. The type names them; the schema accepts any. */
type Shown = Partial<Omit<User, keyof (typeof userShape)['shape'] | Internal>> & {
  /** Required fields of the configuration that have no value yet. */
  missingFields?: string[]
}

export const presentedUser = userShape as Extended<typeof userShape, Shown>

/** An email address as input, which becomes its stored form (kit/email-address.ts). Only a mail can verify it. */
export const emailInput = z
  .string()
  .max(maxAddress)
  .overwrite((text) => readAddress(text) ?? '')
  .check(z.email({ pattern: addressPattern }))

/** A callback or redirect target as input; http/edge/redirect-targets.ts checks it. */
export const urlInput = z.string().max(2048)

const maxPassword = 4096

/** A password as input; passwords.ts compares its length with the configuration. Both count code points. */
export const passwordInput = z
  .string()
  .max(2 * maxPassword)
  .refine((text) => lengthOf(text) <= maxPassword, `at most ${maxPassword} characters`)
  .meta({ maxLength: maxPassword })

export const statusAnswer = z.object({ status: z.boolean() }).meta({ id: 'Status' })

/** The user of an operation for servers. `requireUserId` rejects an absent one, with a code of the protocol. */
export const userIdInput = z.object({ userId: z.unknown() }) as unknown as z.ZodType<
  { userId: unknown },
  { userId: string }
>
