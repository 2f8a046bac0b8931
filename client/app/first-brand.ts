import { html } from 'hono/html'
import type { PublicConfig } from '../lib/auth/endpoints.ts'

const image = (address: string, theme: string) =>
  html`<img src="${address}" alt="" class="first-logo flex-none ${theme}">`

function logoOf({ logo }: PublicConfig['brand'], size: number) {
  if (!logo)
    return html`<svg aria-hidden="true" viewBox="0 0 32 32" width="${size}" height="${size}" class="flex-none fill-accent"><path d="M4 28V12L16 3l12 9v16h-8v-8a4 4 0 0 0-8 0v8z"/></svg>`
  if (typeof logo === 'string') return image(logo, '')
  return logo.light === logo.dark
    ? image(logo.light, '')
    : html`${image(logo.light, 'by-day')}${image(logo.dark, 'by-night')}`
}

/** The link of app/brand.tsx, for the markup that the Worker writes. @param size the height of the logo in pixels */
export const firstBrand = (
  { name, brand }: PublicConfig,
  { size, nameHidden }: { size: number; nameHidden: boolean },
) =>
  html`<a href="/" class="inline-flex min-h-10 min-w-0 items-center gap-2.5 rounded font-semibold">
        ${logoOf(brand, size)}
        <span dir="auto" class="truncate ${nameHidden ? 'sr-only' : ''}">${name}</span>
      </a>`

/** The page's Content Security Policy forbids `style` attributes. */
export const brandRule = (size: number): string => `.first-logo { height: ${size}px }`
