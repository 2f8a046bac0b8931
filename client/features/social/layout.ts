import type { FeatureSwitches, PublicConfig } from '../../lib/auth/endpoints.ts'

/** From this number on, the buttons are compact, in two columns, and the others are hidden at first. */
export const compactFrom = 4

const button = 2.5
const gap = 0.75
/** "Show 2 more" */
const moreLine = 2
/** The note about providers without an address: two lines. */
const noteLines = 2.5

/** The height of the buttons in rem, before their code has loaded. */
export function providerHeight({ providers, features }: PublicConfig): number {
  const rows = providers.length < compactFrom ? providers.length : compactFrom / 2
  const more = providers.length > compactFrom ? moreLine + gap : 0
  const first = byUse(providers, null).slice(0, compactFrom)
  const said = withoutAddress(first, features).length > 0 ? noteLines + gap : 0
  return rows * (button + gap) - gap + more + said
}

/** Providers that cannot create an account, because they return no address and users are not asked for one. */
export const withoutAddress = <P extends { withoutEmail?: boolean }>(providers: P[], features: FeatureSwitches): P[] =>
  features.askForEmail ? [] : providers.filter(({ withoutEmail }) => withoutEmail)

/** The configuration without the providers that cannot create an account: for the sign-up. */
export function forSignUp(config: PublicConfig): PublicConfig {
  const unknowing = withoutAddress(config.providers, config.features)
  return { ...config, providers: config.providers.filter((provider) => !unknowing.includes(provider)) }
}

/** Common providers come first; the others keep the configured order. */
const common = ['google', 'apple', 'microsoft', 'github', 'facebook', 'linkedin']

export function byUse<Provider extends { id: string }>(providers: Provider[], used: string | null): Provider[] {
  const rank = ({ id }: Provider) => {
    if (id === used) return -1
    // The demonstration providers of a development server have the names of real ones with a suffix.
    const at = common.indexOf(id.replace(/^demo-/, ''))
    return at === -1 ? common.length : at
  }
  return [...providers].sort((a, b) => rank(a) - rank(b))
}
