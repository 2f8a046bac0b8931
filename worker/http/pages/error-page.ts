import { html } from 'hono/html'
import type { Scope } from '../../identity/scope.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { errorSentence, errorSentences } from '../../kit/error-sentences.ts'
import { textsIn } from '../../languages/texts.ts'
import { pageTexts } from './error-page.texts.ts'
import { plainPage } from './plain-page.ts'

/** Other texts are rejected, because an attacker could make this page show them. */
const plainCode = /^[A-Za-z0-9_']{1,64}$/

/** The page of an error. @param hint of development */
export function errorPage(scope: Scope, error = '', status = 200, hint: string | null = null): Response {
  const { title, back, toAccount, code: codeLabel } = textsIn(pageTexts, scope.language, scope.shared.brand.texts)
  const code = plainCode.test(error) && error !== 'Unknown' ? error : ''
  const main = html`<p>${errorSentence(code, textsIn(errorSentences, scope.language, scope.shared.brand.texts))}</p>
      ${hint ? html`<p lang="en">${hint}</p>` : ''}
      ${
        readSessionToken(scope) === null
          ? html`<a class="button" href="/sign-in">${back}</a>`
          : html`<a class="button" href="/account/profile">${toAccount}</a>`
      }
      ${code ? html`<small>${codeLabel}: <code>${code}</code></small>` : ''}`
  return plainPage(scope, { title, main, status })
}
