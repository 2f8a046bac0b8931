import { redirectTo } from '../../../http/routes.ts'

/** Sends the browser there. A script cannot follow; it is told where to (the client's part is lib/auth/client.ts). */
export const goTo = (request: Request, url: string): Response =>
  request.headers.get('sec-fetch-mode') === 'cors' ? Response.json({ redirect: true, url }) : redirectTo(url)

/** 303: the parameters of a form go on as a query, to be read with the cookies that a foreign form does not bring. */
export const asQuery = (path: string, raw: string): Response =>
  new Response(null, { status: 303, headers: { location: `${path}?${new URLSearchParams(raw)}` } })
