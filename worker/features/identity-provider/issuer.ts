import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'

/** The issuer identifier: the origin that people see, without a slash at its end. */
export const issuerOf = (scope: Scope): string => scope.settings.baseUrl

/** The address of one of our endpoints, as documents and proofs name it. */
export const endpointUrl = (scope: Scope, path: string): string => `${scope.settings.baseUrl}${basePath}${path}`

/** One of our pages: a path of our own, or an address elsewhere, with more in its query. */
export function pageUrl(page: string, search: URLSearchParams): string {
  const query = search.toString().replaceAll('+', '%20')
  if (!query) return page
  return `${page}${page.includes('?') ? '&' : '?'}${query}`
}
