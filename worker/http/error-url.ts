import * as z from 'zod'
import { pageOptions } from '../identity/pages.ts'
import type { Scope } from '../identity/scope.ts'
import { basePath } from '../identity/settings.ts'
import { defineOptions } from '../kit/options.ts'
import { isRelativePath, originOf, resolve, withQuery } from '../kit/urls.ts'

export const errorOptions = defineOptions(
  'onAPIError',
  {
    /** Where browsers are sent with an error when the caller named no place; null: the page at `/error` of the API. */
    errorURL: null as string | null,
  },
  undefined,
  {
    errorURL: z
      .string()
      .refine((text) => isRelativePath(text) || originOf(text) !== null, 'must be a path of ours or an http(s) URL')
      .nullable(),
  },
)

/** Where an error is shown that no caller named a place for. */
const errorPlace = (scope: Scope) =>
  errorOptions.of(scope).errorURL ?? pageOptions.of(scope).error ?? `${basePath}/error`

/** The address of an error, which its query names. @param target the place that the caller named for it */
export const errorUrl = (
  scope: Scope,
  query: { error: string; error_description?: string | undefined },
  target?: string,
): string => withQuery(resolve(target ?? errorPlace(scope), scope.settings.baseUrl), query)
