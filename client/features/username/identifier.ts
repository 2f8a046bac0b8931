import { auth } from '../../lib/api.ts'
import type { Identifier } from '../../lib/ways.ts'
import { noun } from './noun.ts'

/** A username in the first field of the sign-in form. */
export const usernameIdentifier: Identifier = {
  id: 'username',
  when: (features) => features.username,
  noun,
  matches: (text) => /^[\w.]+$/.test(text),
  send: ({ identifier, ...rest }, options) => auth.signIn.username({ username: identifier, ...rest }, options),
}
