import { defineParts } from '../../http/feature.ts'
import { usernameErrors } from './username.errors.ts'
import { nameNewUser, renameUser } from './username.steps.ts'
import { nameByUsername } from './username-rules.ts'

export const usernameParts = defineParts({
  steps: {
    creatingUser: nameNewUser,
    updatingUser: renameUser,
  },
  names: ({ username }) => (username ? [nameByUsername(username)] : []),
  changeEvent: (user, { username }) =>
    username === undefined || username === user.username ? null : 'username-changed',
  takenValues: { 'users.username': { updating: usernameErrors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER } },
})
