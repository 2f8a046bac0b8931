import type { Scope } from '../../identity/scope.ts'
import { magicLinkOptions } from './magic-link.config.ts'

export const publicMagicLink = (scope: Scope) => ({
  features: { magicLink: true },
  lifetimes: { magicLink: magicLinkOptions.of(scope).expiresIn },
})
