import { html } from 'hono/html'
import type { Language } from '../../worker/kit/language.ts'
import { isGroup, type OwnTexts } from '../../worker/kit/texts.ts'
import type { PublicConfig } from '../lib/auth/endpoints.ts'
import { brandRule, firstBrand } from './first-brand.ts'
import type { FirstScreen } from './first-screen.ts'
import { frameTexts } from './frame-texts.generated.ts'
import { type MemberFrame, memberFrames } from './frames.ts'

// The frame of a signed-in screen (app/member-frame.tsx, ui/member-page.tsx) that the Worker writes into the page. It has
// nothing of the user, and the place of everything that it shows is that of the app, which replaces it.

interface Asked {
  config: PublicConfig
  language: Language
  /** The texts of the configuration. */
  own: OwnTexts
}

/** A text by `dictionary.key`: of the configuration, of the language, or in English. */
function textIn({ language, own }: Pick<Asked, 'language' | 'own'>, name: string): string {
  const [dictionary = '', key = ''] = name.split('.')
  const words = own[language]?.[dictionary]
  const replaced = isGroup(words) ? words[key] : undefined
  if (typeof replaced === 'string') return replaced
  return frameTexts[language]?.[name] ?? frameTexts.en![name] ?? ''
}

const bar = (width: string) => html`<span class="block h-5 rounded bg-sunken ${width}"></span>`

/** A sheet with its head and bars for its content (ui/page.tsx, Section). */
const section = (head: { title: string; intro: string } | null) =>
  html`<section class="grid grid-cols-1 gap-5 rounded-lg border bg-surface p-(--pad) shadow-faint [--pad:1.25rem] sm:[--pad:1.5rem]">
        ${head ? html`<div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3"><div class="grid min-w-0 gap-1 sm:flex-1"><h2 class="text-base font-semibold">${head.title}</h2><p class="max-w-prose text-pretty text-soft">${head.intro}</p></div></div>` : ''}
        <div class="grid gap-3">${bar('w-3/4')}${bar('w-full')}${bar('w-1/2')}</div>
      </section>`

const logoSize = 22

const header = (config: PublicConfig) =>
  html`<header class="border-b bg-surface">
      <div class="mx-auto flex h-14 max-w-300 items-center gap-2 px-4">
        <span class="-ms-2 size-10 md:hidden"></span>
        ${firstBrand(config, { size: logoSize, nameHidden: false })}
        <span class="ms-auto size-8 flex-none rounded-full bg-sunken"></span>
      </div>
    </header>`

function frameOf({ features }: PublicConfig, screen: string): MemberFrame | null {
  const frame = Object.hasOwn(memberFrames, screen) ? memberFrames[screen]! : null
  return frame && (!frame.on || features[frame.on]) ? frame : null
}

/** @returns null for screens without such a frame */
export function firstFrame(asked: Asked, screen: string): FirstScreen | null {
  const { config } = asked
  const frame = frameOf(config, screen)
  if (!frame) return null
  const { title: titleName, intro: introName, wide, sections = [{}] } = frame
  const title = textIn(asked, titleName)
  const shown = sections.filter(({ on }) => !on || config.features[on])
  const markup = html`<div id="first">
    ${header(config)}
    <div class="mx-auto grid max-w-300 px-4 md:grid-cols-[13rem_1fr] md:gap-12">
      <div class="hidden py-8 md:block"></div>
      <main class="min-w-0 py-6 md:py-8">
        <div class="grid grid-cols-1 gap-6${wide ? '' : ' max-w-3xl'}">
          <div class="grid min-w-0 gap-1">
            <h1 class="text-2xl font-semibold leading-tight tracking-tight">${title}</h1>
            ${introName ? html`<div class="max-w-prose text-pretty text-soft">${textIn(asked, introName)}</div>` : ''}
          </div>
          ${shown.map(({ title, intro }) => section(title && intro ? { title: textIn(asked, title), intro: textIn(asked, intro) } : null))}
        </div>
      </main>
    </div>
  </div>`
  return {
    html: String(markup),
    style: `[data-language] #first { visibility: hidden } ${brandRule(logoSize)}`,
    title: `${title} · ${config.name}`,
  }
}

/** The addresses that the screen will request. */
export const earlyRequests = (config: PublicConfig, screen: string): string[] =>
  (frameOf(config, screen)?.requests ?? [])
    .filter(({ on }) => !on || config.features[on])
    .map(({ path }) => `/api/auth${path}`)
