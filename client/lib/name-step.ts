import type { User } from './auth/endpoints.ts'
import { remembered } from './store.ts'

/** Whether to ask for a name: nobody has one who came by a link, a code or a number. Asked once in a browser. */
export const nameStep = {
  isDue: ({ id, name, phoneNumber, isAnonymous }: User): boolean =>
    !isAnonymous && (name === '' || name === phoneNumber) && remembered.get('nameAsked') !== id,
  done: (userId: string | undefined): void => remembered.set('nameAsked', userId ?? null),
}
