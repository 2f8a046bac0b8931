import { redirectTo } from '../../../http/routes.ts'

/**
 * Sends the browser there, or shows it the page. A script cannot follow; it is told where to (the client's part is
 * lib/auth/client.ts).
 */
export function goTo(request: Request, target: string | Response): Response {
  if (typeof target !== 'string') return target
  const isScript = request.headers.get('sec-fetch-mode') === 'cors'
  return isScript ? Response.json({ redirect: true, url: target }) : redirectTo(target)
}

/** 303: the parameters of a form go on as a query, to be read with the cookies that a foreign form does not bring. */
export const asQuery = (path: string, raw: string): Response =>
  new Response(null, { status: 303, headers: { location: `${path}?${new URLSearchParams(raw)}` } })
