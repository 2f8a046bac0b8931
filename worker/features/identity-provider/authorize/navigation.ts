import { errorPage } from '../../../http/pages/error-page.ts'
import { redirectTo } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { AppError } from '../../../kit/errors.ts'

/** Sends the browser there. A script cannot follow; it is told where to (the client's part is lib/auth/client.ts). */
export const goTo = (request: Request, url: string): Response =>
  request.headers.get('sec-fetch-mode') === 'cors' ? Response.json({ redirect: true, url }) : redirectTo(url)

/** The same for a step that may refuse: a person who has followed a link sees a page, not JSON. */
export async function goOn(scope: Scope, request: Request, step: Promise<string>): Promise<Response> {
  try {
    return goTo(request, await step)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || request.headers.get('sec-fetch-mode') !== 'navigate') throw thrown
    return errorPage(scope, thrown.code.toLowerCase(), thrown.status)
  }
}

/** 303: the parameters of a form go on as a query, to be read with the cookies that a foreign form does not bring. */
export const asQuery = (path: string, raw: string): Response =>
  new Response(null, { status: 303, headers: { location: `${path}?${new URLSearchParams(raw)}` } })
