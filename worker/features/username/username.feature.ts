import { defineFeature } from '../../http/feature.ts'
import { usernameOptions } from './username.config.ts'
import { usernameErrors } from './username.errors.ts'
import { usernameFeatures } from './username.hooks.ts'
import { usernameRoutes } from './username.routes.ts'

export const username = defineFeature({
  name: 'username',
  routes: usernameRoutes,
  options: usernameOptions,
  publicConfiguration: usernameFeatures,
  shows: { user: ['username', 'displayUsername'] },
  takenValues: { 'users.username': { updating: usernameErrors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER } },
})
