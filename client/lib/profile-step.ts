import type { User } from './auth/endpoints.ts'
import { remembered } from './store.ts'

/** Nobody has a name who came by a link, a code or a number. It is asked for once in a browser. */
export const nameIsDue = ({ id, name, phoneNumber, isAnonymous }: User): boolean =>
  !isAnonymous && (name === '' || name === phoneNumber) && remembered.get('nameAsked') !== id

/** What people are asked for before they go on, wherever they came from: a name, and the product's required fields. */
export const profileStep = {
  isDue: (user: User): boolean => nameIsDue(user) || (user.missingFields?.length ?? 0) > 0,
  done: (userId: string | undefined): void => remembered.set('nameAsked', userId ?? null),
}
