import { html } from 'hono/html'
import type { Scope } from '../../identity/scope.ts'
import { fill } from '../../kit/texts.ts'
import { textsIn } from '../../languages/texts.ts'
import { linkTexts } from './link-page.texts.ts'
import { plainPage } from './plain-page.ts'

/** What a mailed link does. */
export type LinkPurpose = 'confirm-address' | 'change-address' | 'sign-in' | 'delete-account'

/** The page of a mailed link: one button, which uses the link. @param address of the link */
export function linkPage(scope: Pick<Scope, 'shared' | 'language'>, purpose: LinkPurpose, address: string): Response {
  const { title, intro, button } = textsIn(linkTexts, scope.language, scope.shared.brand.texts)[purpose]
  const named = (text: string) => fill(text, { appName: scope.shared.brand.name }, scope.language)
  const { pathname, search } = new URL(address)
  const main = html`<p>${named(intro)}</p>
      <form method="post" action="${pathname}${search}"><button class="button" type="submit">${button}</button></form>`
  return plainPage(scope, { title: named(title), main, sends: true })
}
