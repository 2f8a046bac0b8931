import { answerSignIn, continueTo, type SignedInAnswer } from '../../http/answer-sign-in.ts'
import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { passwordOpens } from '../../identity/accounts/ways-in.ts'
import { usernameOptions } from './username.config.ts'
import { usernameContract } from './username.contract.ts'
import { usernameErrors } from './username.errors.ts'
import { nameNewUser, publicUsername, renameUser } from './username.steps.ts'
import { isUsernameAvailable, signInByUsername } from './username.ts'
import { nameByUsername } from './username-rules.ts'

export const username = defineFeature({
  name: 'username',
  steps: {
    creatingUser: nameNewUser,
    updatingUser: renameUser,
  },
  routes: routes(usernameContract, {
    signInUsername: async ({ scope, body }) => {
      const result = await signInByUsername(scope, body)
      const answer = answerSignIn(scope, result, ['username'])
      if (result.kind === 'challenged') return answer as { twoFactorRedirect: boolean }
      return {
        ...continueTo(body.callbackURL),
        ...(answer as SignedInAnswer & { user: { username: string | null } }),
      }
    },
    isUsernameAvailable: async ({ scope, body }) => ({ available: await isUsernameAvailable(scope, body.username) }),
  }),
  options: usernameOptions,
  publicConfiguration: publicUsername,
  shows: { user: ['username', 'displayUsername'] },
  names: ({ username }) => (username ? [nameByUsername(username)] : []),
  keepsWayIn: (scope, userId) => passwordOpens(scope, userId, 'username'),
  changeEvent: (user, { username }) =>
    username === undefined || username === user.username ? null : 'username-changed',
  takenValues: { 'users.username': { updating: usernameErrors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER } },
})
