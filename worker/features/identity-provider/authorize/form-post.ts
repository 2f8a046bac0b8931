import { randomBytes } from 'node:crypto'
import { html } from 'hono/html'
import { pageTexts } from '../../../http/pages/error-page.texts.ts'
import { errorPage } from '../../../http/pages/error-page.ts'
import { plainPage } from '../../../http/pages/plain-page.ts'
import type { Scope } from '../../../identity/scope.ts'
import { textsIn } from '../../../languages/texts.ts'
import { unknownRequest } from '../model/requests/authorization-request.ts'
import { readForm } from '../model/requests/client-answer.ts'

/**
 * The page that posts a response to its client (OAuth 2.0 Form Post Response Mode, section 2). It has a button for
 * browsers without scripts. For a response that has expired it is the error page.
 */
export async function formPostPage(scope: Scope, answer: string): Promise<Response> {
  const form = await readForm(scope, answer)
  if (!form) return errorPage(scope, unknownRequest.error)
  const { onward, next } = textsIn(pageTexts, scope.language, scope.shared.brand.texts)
  const nonce = randomBytes(16).toString('base64')
  const inputs = Object.entries(form.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const main = html`<form method="post" action="${form.redirectUri}">${inputs}<button class="button">${next}</button></form>
      <script nonce="${nonce}">document.forms[0].submit()</script>`
  const page = plainPage(scope, { title: onward, main })
  const policy = page.headers.get('content-security-policy')!
  // A policy for forms would apply to the redirects of the client, too. The page has no other form.
  const opened = policy.replace(/; form-action [^;]*/, '').concat(`; script-src 'nonce-${nonce}'`)
  page.headers.set('content-security-policy', opened)
  return page
}
