import type { Scope } from '../../identity/scope.ts'
import type { Settings } from '../../identity/settings.ts'
import type { Brand } from '../../kit/brand.ts'
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

/** What the screens are told by GET /config. */
export function publicBrand(scope: Scope) {
  const { logo, terms, privacy, support } = brandOptions.of(scope)
  return { brand: { logo, terms, privacy, support } }
}

/** What mails and pages without script show. A mail is read anywhere, so that a path of ours becomes an address. */
export function brandOf({ appName, baseUrl }: Settings, options: Scope['options']): Brand {
  const { logo, accent, terms, privacy, support } = brandOptions.of({ options })
  const absolute = (address: string | null) => address && new URL(address, baseUrl).href
  return {
    name: appName,
    logo: absolute(logo),
    accent,
    terms: absolute(terms),
    privacy: absolute(privacy),
    support: absolute(support),
  }
}
