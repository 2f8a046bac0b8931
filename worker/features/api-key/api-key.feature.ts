import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { apiKeyOptions, keyHeadersOf } from './api-key.config.ts'
import type { OptionalPublicConfiguration } from './api-key.contract.ts'

function publicApiKeyConfig(scope: Scope): OptionalPublicConfiguration {
  const { defaultAccess, keyExpiration, maximumNameLength, permissions } = apiKeyOptions.of(scope)
  return {
    features: { apiKey: true },
    apiKey: {
      header: keyHeadersOf(scope)[0]!,
      /** Days. */
      minExpiresIn: keyExpiration.minExpiresIn,
      maxExpiresIn: keyExpiration.maxExpiresIn,
      customExpiry: !keyExpiration.disableCustomExpiresTime,
      /** Seconds, for keys that are created without a lifetime; null: they do not expire. */
      defaultExpiresIn: keyExpiration.defaultExpiresIn,
      maximumNameLength,
      /** For keys that are created without an access level; null: depends on their permissions. */
      defaultAccess,
      permissions: permissions.selectable,
    },
  }
}

export const apiKey = defineFeature({
  name: 'api-key',
  options: apiKeyOptions,
  corsHeaders: (scope) => ({ request: keyHeadersOf(scope) }),
  publicConfiguration: publicApiKeyConfig,
  outlivesSession(scope) {
    const { enabled, maxAge } = apiKeyOptions.of(scope).cache
    return enabled ? { here: maxAge } : {}
  },
  places: ['identifying', 'recording'],
  gives: ['aboutUser', 'cron', 'revokes', 'keeps', 'stored'],
  endpoints: async () => (await import('./api-key.endpoints.ts')).apiKeyEndpoints,
  parts: async () => (await import('./api-key.parts.ts')).apiKeyParts,
  ends: async () => (await import('./api-key.ends.ts')).apiKeyEnds,
})
