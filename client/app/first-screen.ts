import { html } from 'hono/html'
import { noun as phoneNumber } from '../features/phone-number/noun.ts'
import { providerHeight } from '../features/social/layout.ts'
import { noun as username } from '../features/username/noun.ts'
import type { PublicConfig } from '../lib/auth/endpoints.ts'
import type { Language } from '../lib/texts/define.ts'
import { signInTexts } from '../pages/sign-in.texts.ts'

// The sign-in as the Worker writes it into the page, so that it can be read and typed into before any script is there.
// It has the markup of pages/sign-in.tsx in the state in which most people meet it; lib/take-over.ts puts the app in its
// place, and e2e/first-screen.e2e.ts holds both to the same places on the screen.

export interface FirstScreen {
  html: string
  /** Rules for its style sheet: the page's policy lets no element have a style of its own. */
  style: string
  title: string
}

interface Asked {
  config: PublicConfig
  language: Language
  /** Of the site that people go on to. */
  host: string | null
  /** '' or '?callbackURL=…' */
  query: string
}

const orNothing = (condition: unknown, markup: () => unknown) => (condition ? markup() : '')

/** Null where the form is not what people see first. */
export function firstScreen({ config, language, host, query }: Asked): FirstScreen | null {
  const { name, brand, features } = config
  if (features.emailAndPassword === false) return null
  const t = signInTexts[language]
  const nouns = [features.phoneNumber && phoneNumber, features.username && username].flatMap((one) => one || [])
  const title = t.title(name)
  const above = [...(config.providers.length > 0 ? [providerHeight(config)] : []), ...(features.passkey ? [2.5] : [])]
  const below = features.magicLink || features.emailOtp || features.phoneNumber || features.anonymous
  const markup = html`<div id="first" class="mx-auto flex min-h-dvh w-full max-w-[27rem] flex-col px-5 pt-6 pb-5 sm:px-4 sm:pt-12">
  <main class="sm:rounded-lg sm:border sm:bg-surface sm:px-9 sm:pt-8 sm:pb-9 sm:shadow-raised">
    <div class="mb-4 flex justify-center">
      <a href="/" class="inline-flex min-h-10 min-w-0 items-center gap-2.5 rounded font-semibold">
        ${
          brand?.logo
            ? html`<img id="first-logo" src="${brand.logo}" alt="" class="flex-none">`
            : html`<svg aria-hidden="true" viewBox="0 0 32 32" width="36" height="36" class="flex-none fill-accent"><path d="M4 28V12L16 3l12 9v16h-8v-8a4 4 0 0 0-8 0v8z"/></svg>`
        }
        <span class="truncate sr-only">${name}</span>
      </a>
    </div>
    <div class="grid grid-cols-1 gap-6">
      <div class="grid gap-1.5 text-center">
        <h1 class="text-2xl font-semibold leading-tight tracking-tight">${title}</h1>
        ${orNothing(host, () => html`<p class="text-balance text-soft">${t.continueTo(host!)}</p>`)}
      </div>
      ${orNothing(
        above.length > 0,
        () => html`<div id="first-ways"></div>
      <div class="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">${t.orDivider}</div>`,
      )}
      <form method="dialog" novalidate class="flex flex-col gap-5">
        <div class="grid gap-1.5">
          <div class="flex items-baseline justify-between gap-4"><label for="first-identifier" class="font-medium">${
            nouns.length > 0 ? t.or(nouns.map((noun) => noun[language])) : t.email
          }</label></div>
          <input id="first-identifier" name="identifier" type="${nouns.length > 0 ? 'text' : 'email'}" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" class="control">
        </div>
        <div class="grid gap-1.5">
          <div class="flex items-baseline justify-between gap-4"><label for="first-password" class="font-medium">${t.password}</label></div>
          <input id="first-password" name="password" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" class="control pe-11">
        </div>
        <div class="order-last grid gap-4">
          ${orNothing(config.captcha, () => html`<div class="min-h-[4.5rem]"></div>`)}
          <button type="submit" class="relative inline-flex min-h-10 items-center justify-center gap-2 rounded border px-4 py-1.5 text-center font-medium wrap-break-word no-underline bg-accent-fill text-on-fill border-transparent shadow-faint hover:bg-accent-fill-strong w-full">${t.submit}</button>
        </div>
        <div class="-mt-1 flex flex-wrap items-center justify-between gap-x-2 gap-y-2 text-sm">
          <a href="/forgot-password${query}" class="link order-last">${t.forgot}</a>
          <div class="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
            <input id="first-remember" name="rememberMe" type="checkbox" checked class="mt-0.5 size-5">
            <label for="first-remember">${t.rememberMe}</label>
          </div>
        </div>
      </form>
      ${orNothing(below, () => html`<div class="min-h-10"></div>`)}
      ${orNothing(
        features.signUp,
        () =>
          html`<p class="text-center text-soft">${t.newHere} <a href="/sign-up${query}" class="link">${t.signUp}</a></p>`,
      )}
    </div>
  </main>
</div>`
  const gaps = 0.75 * (above.length - 1)
  const height = above.reduce((sum, one) => sum + one, gaps)
  return {
    html: String(markup),
    style: `#first-ways { height: ${height}rem } #first-logo { height: 36px } [data-language] #first { visibility: hidden }`,
    title: `${title} · ${name}`,
  }
}
