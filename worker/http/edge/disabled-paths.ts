import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { defineOptions } from '../../kit/options.ts'
import { canonicalPath } from '../../kit/urls.ts'
import { httpErrors } from '../http.errors.ts'

/** Whether a path can equal the path of a request. A setting in another form has no effect. */
const isComparable = (path: string): boolean =>
  canonicalPath(path) === path && path !== basePath && !path.startsWith(`${basePath}/`)

const reason = `must be a path below ${basePath} as requests have it, such as /sign-in/email`

/** A path that a setting names. */
export const pathSetting = z.string().refine(isComparable, reason)

/** The same with `*` at the end, which matches any suffix. */
export const pathPattern = z
  .string()
  .refine((path) => path === '/*' || isComparable(path.replace(/\/?\*$/, '')), reason)

/** Paths of the API below `/api/auth`, such as `/sign-in/email`, which respond 404. */
export const disabledPathOptions = defineOptions('disabledPaths', () => z.array(pathSetting).default([]))

/** Paths below the base path that the configuration turns off. @throws NOT_FOUND */
export function refuseDisabledPath(scope: Scope): void {
  const path = scope.request.path.toLowerCase()
  if (disabledPathOptions.of(scope).some((disabled) => disabled.toLowerCase() === path)) throw httpErrors.NOT_FOUND()
}
