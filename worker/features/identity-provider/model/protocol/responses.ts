import { redirectTo } from '../../../../http/routes.ts'

/** Redirects the browser, or shows it the page. A script cannot follow a redirect and gets the address as JSON. */
export function goTo(request: Request, target: string | Response): Response {
  if (typeof target !== 'string') return target
  const isScript = request.headers.get('sec-fetch-mode') === 'cors'
  return isScript ? Response.json({ redirect: true, url: target }) : redirectTo(target)
}

/** 303: a form of another site becomes the query of a GET, because the browser sends no cookies with such a form. */
export const asQuery = (path: string, raw: string): Response =>
  new Response(null, { status: 303, headers: { location: `${path}?${new URLSearchParams(raw)}` } })

/** A response with secrets, which must not be cached (RFC 6749, section 5.1). */
export const noStore = (answer: object, status = 200): Response =>
  Response.json(answer, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })

/** The query of a request, without its question mark. */
export const queryStringOf = (request: Request): string => new URL(request.url).search.slice(1)
