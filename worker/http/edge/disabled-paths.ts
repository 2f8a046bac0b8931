import type { Scope } from '../../identity/scope.ts'
import { defineOptions } from '../../kit/options.ts'
import { httpErrors } from '../http.errors.ts'

export const disabledPathOptions = defineOptions('disabledPaths', [] as string[])

/** Paths below the base path that the configuration turns off. @throws NOT_FOUND */
export function refuseDisabledPath(scope: Scope): void {
  const path = scope.request.path.toLowerCase()
  if (disabledPathOptions.of(scope).some((disabled) => disabled.toLowerCase() === path)) throw httpErrors.NOT_FOUND()
}
