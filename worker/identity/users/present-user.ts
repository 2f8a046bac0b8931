import type { Scope } from '../scope.ts'
import { userOptions } from '../settings.ts'
import { missingFields, shownAdditionalFields } from './additional-fields.ts'
import type { User } from './users.table.ts'

/** A user as get-session and the admin feature show it, with the fields of the features that are on. */
export interface PresentedUser {
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  createdAt: Date
  updatedAt: Date
  id: string
  /** Required fields of the configuration that the person has not filled in yet; absent where there are none. */
  missingFields?: string[]
  [field: string]: unknown
}

/** A user as the answers of sign-up and sign-in show it. */
export interface UserSummary {
  id: string
  email: string
  name: string
  image: string | null
  emailVerified: boolean
  createdAt: Date
  updatedAt: Date
  [field: string]: unknown
}

type Presenting = Pick<Scope, 'options' | 'lifecycle'>

export function presentUser(scope: Presenting, user: User): PresentedUser {
  const { name, email, emailVerified, image, createdAt, updatedAt, id } = user
  const fields: Record<string, unknown> = {}
  for (const field of scope.lifecycle.shownUserFields) fields[field] = user[field]
  const { additionalFields } = userOptions.of(scope)
  Object.assign(fields, shownAdditionalFields(additionalFields, user.additionalFields))
  const missing = missingFields(additionalFields, user.additionalFields)
  if (missing.length > 0) fields.missingFields = missing
  return { name, email, emailVerified, image, createdAt, updatedAt, ...fields, id }
}

export function summarizeUser(scope: Presenting, user: User, also: (keyof User)[] = []): UserSummary {
  const { id, email, name, image, emailVerified, createdAt, updatedAt } = user
  return {
    id,
    email,
    name,
    image,
    emailVerified,
    createdAt,
    updatedAt,
    ...shownAdditionalFields(userOptions.of(scope).additionalFields, user.additionalFields),
    ...Object.fromEntries(also.map((field) => [field, user[field]])),
  }
}
