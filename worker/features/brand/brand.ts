import type { Scope } from '../../identity/scope.ts'
import type { Settings } from '../../identity/settings.ts'
import type { Brand, Themed } from '../../kit/brand.ts'
import { resolve } from '../../kit/urls.ts'
import { brandOptions } from './brand.config.ts'

/**
 * The accent in both themes. The screens load it before they paint, so that no other colour is ever seen
 * (client/ui/theme.css names the properties and their defaults).
 */
export function brandStyle(scope: Pick<Scope, 'options'>): string {
  const { light, dark } = brandOptions.of(scope).accent
  const stronger = (colour: string, towards: string) => `color-mix(in oklab, ${colour} 85%, ${towards})`
  return `:root {
  --brand-accent: light-dark(${light}, ${dark});
  --brand-accent-strong: light-dark(${stronger(light, 'black')}, ${stronger(dark, 'white')});
  --brand-fill: ${light};
  --brand-fill-strong: ${stronger(light, 'black')};
}
`
}

/** Where the picture of browser windows is. A redirect, so that neither the app nor a page has to be built anew for it. */
export const faviconOf = ({ brand }: Pick<Scope, 'brand'>, theme: 'light' | 'dark' = 'light'): string =>
  brand.favicon?.[theme] ?? '/favicon.svg'

/** What the screens are told by GET /config. */
export function publicBrand(scope: Scope) {
  const { logo, terms, privacy, support } = brandOptions.of(scope)
  return { brand: { logo, terms, privacy, support } }
}

/** What mails and pages without script show. A mail is read anywhere, so that a path of ours becomes an address. */
export function brandOf({ appName, baseUrl }: Settings, options: Scope['options']): Brand {
  const { logo, favicon, accent, terms, privacy, support } = brandOptions.of({ options })
  const absolute = (address: string | null) => address && new URL(address, baseUrl).href
  const inBoth = (picture: string | Themed | null): Themed | null => {
    if (picture === null) return null
    const { light, dark } = typeof picture === 'string' ? { light: picture, dark: picture } : picture
    return { light: resolve(light, baseUrl), dark: resolve(dark, baseUrl) }
  }
  return {
    name: appName,
    logo: inBoth(logo),
    favicon: inBoth(favicon),
    accent,
    terms: absolute(terms),
    privacy: absolute(privacy),
    support: absolute(support),
  }
}
