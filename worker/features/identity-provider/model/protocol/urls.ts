import type { Scope } from '../../../../identity/scope.ts'

/** The issuer identifier: the public origin, without a slash at its end. */
export const issuerOf = (scope: Scope): string => scope.settings.baseUrl

/** A page with additional query parameters. @param page a path of this origin, or an absolute address */
export function pageUrl(page: string, search: URLSearchParams): string {
  const query = search.toString().replaceAll('+', '%20')
  if (!query) return page
  return `${page}${page.includes('?') ? '&' : '?'}${query}`
}

/** A resource indicator in the form in which it is compared (RFC 8707, section 2): as the URL parser writes it. */
export const normalResource = (resource: string): string =>
  URL.canParse(resource) ? new URL(resource).href.replace(/\/$/, '') : resource
