import type { FeatureSwitches, PublicConfig } from '../../lib/auth/endpoints.ts'

/** From how many on the buttons are compact and stand in two columns; as many are shown before somebody asks for all. */
export const compactFrom = 4

const button = 2.5
const gap = 0.75
/** "Show 2 more" */
const moreLine = 2
/** What is said of providers without an address: two lines. */
const noteLines = 2.5

/** The height of the providers' buttons, in rem, before any of them is there. */
export function providerHeight({ providers, features }: PublicConfig): number {
  const rows = providers.length < compactFrom ? providers.length : compactFrom / 2
  const more = providers.length > compactFrom ? moreLine + gap : 0
  const said = withoutAddress(providers, features).length > 0 ? noteLines + gap : 0
  return rows * (button + gap) - gap + more + said
}

/** Those that cannot make an account, because they tell no address and nobody is asked for one: the buttons say so. */
export const withoutAddress = <P extends { withoutEmail?: boolean }>(providers: P[], features: FeatureSwitches): P[] =>
  features.askForEmail ? [] : providers.filter(({ withoutEmail }) => withoutEmail)

/** What most people have comes first; the others keep the order in which they are configured. */
const common = ['google', 'apple', 'microsoft', 'github', 'facebook', 'linkedin']

export function byUse<Provider extends { id: string }>(providers: Provider[], used: string | null): Provider[] {
  const rank = ({ id }: Provider) => {
    if (id === used) return -1
    // The demonstration set of a development server is named after what it stands for.
    const at = common.indexOf(id.replace(/^demo-/, ''))
    return at === -1 ? common.length : at
  }
  return [...providers].sort((a, b) => rank(a) - rank(b))
}
