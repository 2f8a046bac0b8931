import { isRelativePath } from '../../../worker/kit/urls.ts'
import type { RequestLike } from './types.ts'

/**
 * The path of a text that a visitor may have chosen (`?returnTo=`): a path of the product itself, never another site.
 * @param origin of the product; an absolute address there is permitted
 * @param fallback for everything else
 */
export function safeReturnPath(text: string | null | undefined, origin: string, fallback = '/'): string {
  if (!text) return fallback
  if (isRelativePath(text)) return text
  if (!URL.canParse(text)) return fallback
  const url = new URL(text)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !url.username && !url.password && isRelativePath(path) ? path : fallback
}

/** The page to return to after a sign-in that a request needs. */
export function returnPathOf({ url, method, headers }: RequestLike, origin: string): string {
  if (method !== 'GET' && method !== 'HEAD') return safeReturnPath(headers.get('referer'), origin)
  const { pathname, search } = new URL(url)
  return safeReturnPath(pathname + search, origin)
}

/** Whether a browser opens a page: it shows the response, so that it can be redirected to another site. */
export const opensPage = ({ method, headers }: RequestLike): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
  (headers.get('accept') ?? '').includes('text/html')
