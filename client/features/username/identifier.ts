import { auth } from '../../lib/api.ts'
import type { Identifier } from '../../lib/ways.ts'

export const usernameIdentifier: Identifier = {
  id: 'username',
  when: (features) => features.username,
  noun: 'username',
  matches: (text) => /^[\w.]+$/.test(text),
  send: ({ identifier, ...rest }, options) => auth.signIn.username({ username: identifier, ...rest }, options),
}
