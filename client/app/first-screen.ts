import { html } from 'hono/html'
import { errorSentence } from '../../worker/kit/error-sentences.ts'
import type { Language } from '../../worker/kit/language.ts'
import { type OwnTexts, withOwn } from '../../worker/kit/texts.ts'
import { byUse, compactFrom, providerHeight } from '../features/social/layout.ts'
import { socialTexts } from '../features/social/texts.ts'
import type { PublicConfig } from '../lib/auth/endpoints.ts'
import { colourMarks } from '../lib/provider-colours.ts'
import { coreTexts } from '../lib/texts/core.ts'
import { type TextsOf, textsOf, type Words } from '../lib/texts/define.ts'
import { errorTexts, shownCode } from '../pages/error.texts.ts'
import { identifierLabel, signInTexts } from '../pages/sign-in.texts.ts'
import { brandRule, firstBrand } from './first-brand.ts'
import { firstScreenTexts } from './first-screen-texts.generated.ts'

// The sign-in form that the Worker writes into the page, so that users can read it and type before any script has
// loaded. It has the markup of pages/sign-in.tsx in its most frequent state. lib/take-over.ts replaces it with the
// app, and e2e/first-screen.e2e.ts compares the positions of both.

export interface FirstScreen {
  html: string
  /** CSS rules for the page: its Content Security Policy forbids `style` attributes. */
  style: string
  title: string
}

interface Asked {
  config: PublicConfig
  language: Language
  /** The texts of the configuration. */
  own: OwnTexts
  /** The host of the site that the user continues to. */
  host: string | null
  /** '' or '?callbackURL=…' */
  query: string
}

/** The texts below, by dictionary or `dictionary.key`: the Worker contains only these in each language. */
export const textsOfFirstScreens = ['signIn', 'social', 'error', 'core.errorCode']

function wordsOf({ language, own }: Pick<Asked, 'language' | 'own'>): Words {
  const known = Object.hasOwn(firstScreenTexts, language) ? firstScreenTexts[language]! : {}
  return withOwn(known, own[language]) as Words
}

const orNothing = (condition: unknown, markup: () => unknown) => (condition ? markup() : '')

const button = (label: string) =>
  html`<button type="submit" class="relative inline-flex min-h-10 items-center justify-center gap-2 rounded border px-4 py-1.5 text-center font-medium wrap-break-word no-underline bg-accent-fill text-on-fill border-transparent shadow-faint hover:bg-accent-fill-strong w-full">${label}</button>`

type SignInTexts = TextsOf<typeof signInTexts.english>

const identifierPart = (t: SignInTexts) =>
  html`<input name="password" type="password" autocomplete="current-password" aria-hidden="true" tabindex="-1" class="sr-only">
        <div class="grid gap-4">${button(t.next)}</div>`

function passwordPart({ config, query }: Asked, t: SignInTexts) {
  return html`<div class="grid gap-1.5">
          <div class="flex items-baseline justify-between gap-4"><label for="first-password" class="font-medium">${t.password}</label></div>
          <input id="first-password" name="password" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" class="control pe-11">
        </div>
        <div class="order-last grid gap-4">
          ${orNothing(config.captcha, () => html`<div class="min-h-[4.5rem]"></div>`)}
          ${button(t.submit)}
        </div>
        <div class="-my-1.5 flex flex-wrap items-center justify-between gap-x-2 text-sm *:min-h-10 *:content-center">
          <a href="/forgot-password${query}" class="link order-last">${t.forgot}</a>
          <div class="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
            <input id="first-remember" name="rememberMe" type="checkbox" checked class="mt-0.5 size-5">
            <label for="first-remember">${t.rememberMe}</label>
          </div>
        </div>`
}

const square = (markup: unknown) =>
  html`<svg aria-hidden="true" viewBox="0 0 24 24" width="18" height="18" class="flex-none">${markup}</svg>`

/** The owner's mark in its colours; the app draws the others. */
function markOf(id: string, marks: 'color' | 'mono') {
  const coloured = marks === 'color' ? colourMarks[id.replace(/^demo-/, '')] : undefined
  return square((coloured ?? []).map(([colour, path]) => html`<path d="${path}" fill="${colour}"/>`))
}

/** The providers' buttons as forms, which need no script (POST /sign-in/provider), and the places of the passkey and Access buttons. */
function waysPart({ config, query }: Asked, t: TextsOf<typeof socialTexts.english>) {
  const { providerMarks, ways: order } = config.brand
  const callbackURL = new URLSearchParams(query).get('callbackURL')
  const sorted = byUse(config.providers, null)
  const compact = sorted.length >= compactFrom
  const buttons = html`<ul aria-label="${t.providers}" class="${compact ? 'grid grid-cols-2 gap-3' : 'grid gap-3'}">${sorted
    .slice(0, compactFrom)
    .map(
      ({ id, name }) => html`<li><form method="post" action="/api/auth/sign-in/provider" class="h-full">
          <input type="hidden" name="provider" value="${id}">${orNothing(callbackURL, () => html`<input type="hidden" name="callbackURL" value="${callbackURL}">`)}
          <button type="submit" class="relative inline-flex min-h-10 max-w-full items-center justify-center gap-2 rounded border py-1.5 text-center font-medium wrap-break-word bg-surface text-ink shadow-faint hover:bg-sunken w-full h-full ${compact ? 'px-2' : 'px-4'}">${markOf(id, providerMarks)}${compact ? html`<span class="sr-only">${t.continueWith(name)}</span><span aria-hidden="true" class="truncate">${name}</span>` : html`<span>${t.continueWith(name)}</span>`}</button>
        </form></li>`,
    )}</ul>`
  const social = orNothing(sorted.length > 0, () => buttons)
  const isFirst = (way: 'passkey' | 'access-identity') =>
    order.includes(way) && (!order.includes('social') || order.indexOf(way) < order.indexOf('social'))
  const { passkey, accessIdentity } = config.features
  const first = [passkey && isFirst('passkey'), accessIdentity && isFirst('access-identity')].filter(Boolean)
  return html`${first.map(() => html`<div class="needs-script h-10"></div>`)}${social}`
}

const logoSize = 36

/** The page has its own sentence for browsers without scripts. */
const always = `${brandRule(logoSize)} #first ~ noscript { display: none }`

/** The frame of signed-out screens (app/visitor-frame.tsx), without its end. */
const frame = (config: PublicConfig, title: string, intro: string | null, content: unknown) =>
  html`<div id="first" class="visitor mx-auto flex min-h-dvh w-full max-w-[27rem] flex-col px-5 pt-6 pb-5 sm:px-4 sm:pt-12">
  <main class="sm:mt-[max(0px,calc((100dvh-44rem)/2))] sm:rounded-lg sm:border sm:bg-surface sm:px-9 sm:pt-8 sm:pb-9 sm:shadow-raised">
    <div class="visitor-brand mb-4 flex justify-center">
      ${firstBrand(config, { size: logoSize, nameHidden: true })}
    </div>
    <div class="grid grid-cols-1 gap-6">
      <div class="sheet-head grid gap-1.5 text-center">
        <h1 class="text-2xl font-semibold leading-tight tracking-tight">${title}</h1>
        ${orNothing(intro, () => html`<p class="text-balance text-soft">${intro}</p>`)}
      </div>
      ${content}
    </div>
  </main>
</div>`

/** @returns null for visitors who see another screen first */
export function firstScreen(asked: Asked): FirstScreen | null {
  const { config, language, host, query } = asked
  const { name, features } = config
  if (!features.emailAndPassword) return null
  const words = wordsOf(asked)
  const t = textsOf(signInTexts, language, words)
  const combined = config.signIn.flow === 'combined'
  const accepted = (['phoneNumber', 'username'] as const).filter((name) => features[name])
  const title = t.title(name)
  const above = [
    ...(config.providers.length > 0 ? [providerHeight(config)] : []),
    ...(features.accessIdentity ? [2.5] : []),
    ...(features.passkey ? [2.5] : []),
  ]
  const ways = above.length > 0 ? waysPart(asked, textsOf(socialTexts, language, words)) : ''
  const forAddress = features.magicLink || features.emailOtp
  const below = features.phoneNumber || features.anonymous || (combined && forAddress)
  const content = html`<noscript><p class="rounded border border-warning/40 bg-warning-wash px-4 py-3 text-pretty">${t.noScript}</p></noscript>
      ${orNothing(
        above.length > 0,
        () => html`<div id="first-ways" class="grid content-start gap-3">${ways}</div>
      <div class="needs-script flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">${t.orDivider}</div>`,
      )}
      <form method="dialog" novalidate class="needs-script flex flex-col gap-5">
        <div class="grid gap-1.5">
          <div class="flex items-baseline justify-between gap-4"><label for="first-identifier" class="font-medium">${identifierLabel(
            t,
            accepted,
            language,
          )}</label></div>
          <input id="first-identifier" name="identifier" type="${accepted.length > 0 ? 'text' : 'email'}" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" class="control">
        </div>
        ${combined ? passwordPart(asked, t) : identifierPart(t)}
      </form>
      ${orNothing(below, () => html`<div class="min-h-10"></div>`)}
      ${orNothing(
        features.signUp,
        () =>
          html`<p class="-my-2.5 text-center text-soft">${t.newHere} <a href="/sign-up${query}" class="link inline-flex min-h-10 items-center">${t.signUp}</a></p>`,
      )}`
  const markup = frame(config, title, host && t.toContinueTo(host), content)
  const gaps = 0.75 * (above.length - 1)
  const height = above.reduce((sum, one) => sum + one, gaps)
  return {
    html: String(markup),
    style: `#first-ways { min-height: ${height}rem } [data-language] #first, [data-entered] #first, [data-used] #first-ways { visibility: hidden } @media (scripting: none) { #first-ways { min-height: 0 } #first .needs-script { display: none } } ${always}`,
    title: `${title} · ${name}`,
  }
}

/** The screen /error (pages/error.tsx), which needs no script. */
export function firstErrorScreen(
  { config, language, own }: Pick<Asked, 'config' | 'language' | 'own'>,
  { error, hasSession, sentences }: { error: string; hasSession: boolean; sentences: Readonly<Record<string, string>> },
): FirstScreen {
  const words = wordsOf({ language, own })
  const t = textsOf(errorTexts, language, words)
  const code = shownCode(error)
  const sentence = errorSentence(code, sentences)
  const [path, label] = hasSession ? ['/account/profile', t.toAccount] : ['/sign-in', t.signIn]
  const content = html`<div class="text-pretty rounded border px-4 py-3 border-danger/40 bg-danger-wash">${sentence}</div>
      <a href="${path}" class="relative inline-flex min-h-10 max-w-full items-center justify-center gap-2 rounded border px-4 py-1.5 text-center font-medium wrap-break-word no-underline bg-accent-fill text-on-fill border-transparent shadow-faint hover:bg-accent-fill-strong w-full">${label}</a>
      <p class="text-center text-soft text-xs">${textsOf(coreTexts, language, words).errorCode(code)}</p>`
  return {
    html: String(frame(config, t.title, null, content)),
    style: `[data-language] #first { visibility: hidden } ${always}`,
    title: `${t.title} · ${config.name}`,
  }
}
