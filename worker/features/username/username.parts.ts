import { defineParts } from '../../http/feature.ts'
import { usernameErrors } from './username.errors.ts'
import { nameNewUser, renameUser } from './username.steps.ts'
import { nameByUsername } from './username-rules.ts'

export const usernameParts = defineParts({
  steps: {
    creatingUser: nameNewUser,
    updatingUser: renameUser,
  },
  userFields: {
    names: ({ username }) => (username ? [nameByUsername(username)] : []),
    changeEvent: (user, { username }) =>
      username === undefined || username === user.username ? null : 'username-changed',
    taken: { 'users.username': { updating: usernameErrors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER } },
  },
})
