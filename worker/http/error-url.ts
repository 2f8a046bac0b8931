import * as z from 'zod'
import { pageOptions } from '../identity/pages.ts'
import type { Scope } from '../identity/scope.ts'
import { basePath } from '../identity/settings.ts'
import { defineOptions, section } from '../kit/options.ts'
import { isRelativePath, originOf, resolve, withQuery } from '../kit/urls.ts'

export const errorOptions = defineOptions('onAPIError', () =>
  section({
    /** The redirect target of errors if the caller named none; null: the page at `/error` of the API. */
    errorURL: z
      .string()
      .refine((text) => isRelativePath(text) || originOf(text) !== null, 'must be a path of ours or an http(s) URL')
      .nullable()
      .default(null),
  }),
)

/** The redirect target of errors if the caller named none. */
const errorPlace = (scope: Scope) =>
  errorOptions.of(scope).errorURL ?? pageOptions.of(scope).error ?? `${basePath}/error`

/** The address of a page with the error in its query. @param target the caller's choice */
export const errorUrl = (
  scope: Scope,
  query: { error: string; error_description?: string | undefined },
  target?: string,
): string => withQuery(resolve(target ?? errorPlace(scope), scope.settings.baseUrl), query)
