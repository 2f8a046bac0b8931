import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { usernameOptions } from './username.config.ts'
import type { OptionalPublicConfiguration } from './username.contract.ts'

function publicUsername(scope: Scope): OptionalPublicConfiguration {
  const { minUsernameLength: min, maxUsernameLength: max } = usernameOptions.of(scope)
  return { features: { username: true }, usernameLength: { min, max } }
}

export const username = defineFeature({
  name: 'username',
  options: usernameOptions,
  publicConfiguration: publicUsername,
  shows: { user: ['username', 'displayUsername'] },
  places: ['creatingUser', 'updatingUser'],
  gives: ['userFields', 'keeps'],
  endpoints: async () => (await import('./username.endpoints.ts')).usernameEndpoints,
  parts: async () => (await import('./username.parts.ts')).usernameParts,
  ends: async () => (await import('./username.ends.ts')).usernameEnds,
})
