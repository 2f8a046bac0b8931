import { defineFeature } from '../../http/feature.ts'
import { usernameOptions } from './username.config.ts'
import { usernameErrors } from './username.errors.ts'
import { usernameFeatures } from './username.hooks.ts'
import { usernameRoutes } from './username.routes.ts'
import { nameByUsername } from './username-rules.ts'

export const username = defineFeature({
  name: 'username',
  routes: usernameRoutes,
  options: usernameOptions,
  publicConfiguration: usernameFeatures,
  shows: { user: ['username', 'displayUsername'] },
  names: ({ username }) => (username ? [nameByUsername(username)] : []),
  takenValues: { 'users.username': { updating: usernameErrors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER } },
})
