import type { UserFacts } from '../../kit/presented.ts'
import type { User } from '../model/users.table.ts'
import { shownUserFields } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { missingFields, shownAdditionalFields } from './additional-fields.ts'
import { userOptions } from './users.config.ts'

/** A user in get-session and the admin feature, with the fields of the enabled features. */
export interface PresentedUser extends UserFacts {
  /** Required fields of the configuration that the user has not entered; absent if no field is missing. */
  missingFields?: string[]
  [field: string]: unknown
}

/** A user in the responses of sign-up and sign-in. */
export interface UserSummary extends UserFacts {
  [field: string]: unknown
}

type Presenting = Pick<Scope, 'options' | 'lifecycle'>

export function presentUser(scope: Presenting, user: User): PresentedUser {
  const { name, email, emailVerified, image, createdAt, updatedAt, id } = user
  const fields: Record<string, unknown> = {}
  for (const field of shownUserFields(scope)) fields[field] = user[field]
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
