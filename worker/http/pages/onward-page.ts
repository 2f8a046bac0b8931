import { html } from 'hono/html'
import type { Scope } from '../../identity/scope.ts'
import { textsIn } from '../../languages/texts.ts'
import { pageTexts } from './error-page.texts.ts'
import { plainPage } from './plain-page.ts'

/** A page that opens an address without scripts, as a redirect does. */
export function onwardPage(scope: Pick<Scope, 'shared' | 'language'>, address: string): Response {
  const { onward, next } = textsIn(pageTexts, scope.language, scope.shared.brand.texts)
  const main = html`<a class="button" href="${address}">${next}</a>`
  return plainPage(scope, { title: onward, main, opens: address })
}
