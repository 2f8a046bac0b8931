import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Scope } from '../../../identity/scope.ts'
import { directionOf } from '../../../kit/language.ts'
import { brandOptions } from './brand.config.ts'

// The Worker writes the slots beside the app, so that they cost no script. Each has all its languages, and the style sheet
// shows that of the page: the user may choose another one without a new document.

type Slots = ReturnType<typeof brandOptions.of>['slots']
type Slot = NonNullable<Slots[keyof Slots]>

/** The texts by language; a text for all languages has none. */
function textsOf(slot: Slot): [language: string | null, text: string][] {
  const text = typeof slot === 'string' ? slot : slot.text
  return typeof text === 'string' ? [[null, text]] : Object.entries(text)
}

const languagesOf = (slot: Slot) => textsOf(slot).flatMap(([language]) => language ?? [])

/** The places of the slots, on signed-out screens only. */
export function slotStyle(slots: Slots): string {
  const used = Object.entries(slots).filter(([, slot]) => slot !== null) as [keyof Slots, Slot][]
  if (used.length === 0) return ''
  const languages = used.flatMap(([name, slot]) => {
    const all = languagesOf(slot)
    return all.map((language, at) => {
      const others = all.filter((other) => other !== language).map((other) => `:lang(${other})`)
      const hidden = at === 0 ? `:root:is(${others.join(', ') || '_'})` : `:root:not(:lang(${language}))`
      return `${hidden} .slot-${name} > :lang(${language}) { display: none; }\n`
    })
  })
  return `.slot { font-size: 0.875rem; text-align: center; padding: 0.625rem 1.25rem; }
.slot a { color: var(--color-accent); text-decoration: underline; text-underline-offset: 3px; }
.slot-top { background: var(--color-accent-wash); color: var(--color-ink); }
.slot-bottom { background: var(--color-surface); color: var(--color-soft); border-block-start: 1px solid var(--color-line); }
.slot-beside { display: none; }
body:has(.slot-top) .visitor, body:has(.slot-bottom) .visitor { min-height: calc(100dvh - 2.75rem); }
body:has(.slot-top):has(.slot-bottom) .visitor { min-height: calc(100dvh - 5.5rem); }
body:not(:has(.visitor)) .slot { display: none; }
@media (min-width: 64rem) {
body:has(.visitor) .slot-beside { display: block; position: fixed; inset-block-end: 2.5rem; inset-inline: 50% 0; width: fit-content;
max-width: min(26rem, 40vw); margin-inline: auto; border-radius: var(--radius-lg); background: var(--color-surface); color: var(--color-ink);
font-size: 1rem; padding: 1.25rem 1.5rem; box-shadow: var(--shadow-raised); }
}
${languages.join('')}`
}

/** The elements of the slots before and after the app. */
export function slotElements(scope: Pick<Scope, 'options'>): { before: string; after: string } | null {
  const { slots, background } = brandOptions.of(scope)
  const element = (name: keyof Slots): HtmlEscapedString | string => {
    const slot = slots[name]
    if (slot === null || (name === 'beside' && background.layout !== 'split')) return ''
    const href = typeof slot === 'string' ? undefined : slot.href
    const lines = textsOf(slot).map(([language, text]) => {
      const shown = href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`
      const attributes = language === null ? raw('') : html` lang="${language}" dir="${directionOf(language)}"`
      return html`<p${attributes}>${shown}</p>`
    })
    return html`<div class="slot slot-${name}">${lines}</div>` as HtmlEscapedString
  }
  // One landmark before the app and one after it, beside its own main and footer.
  const inside = (tag: 'header' | 'aside', content: string) => (content ? `<${tag}>${content}</${tag}>` : '')
  const before = inside('header', String(element('top')))
  const after = inside('aside', String(element('beside')) + String(element('bottom')))
  return before || after ? { before, after } : null
}
