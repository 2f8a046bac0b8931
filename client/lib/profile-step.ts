import type { User } from './auth/endpoints.ts'
import { remembered } from './store.ts'

/** Sign-ups by link, code or number have no name. Each browser asks for it once. */
export const nameIsDue = ({ id, name, phoneNumber, isAnonymous }: User): boolean =>
  !isAnonymous && (name === '' || name === phoneNumber) && remembered.get('nameAsked') !== id

/** What users are asked for after a sign-in: a name, and required fields of the configuration. */
export const profileStep = {
  isDue: (user: User): boolean => nameIsDue(user) || (user.missingFields?.length ?? 0) > 0,
  done: (userId: string | undefined): void => remembered.set('nameAsked', userId ?? null),
}
