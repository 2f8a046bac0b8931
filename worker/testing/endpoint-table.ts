import type { Endpoint } from '../http/endpoint.ts'
import { readContracts } from './contracts.ts'

type View = 'session' | 'organizations' | 'activeOrganization' | 'activeMember' | 'passkeys'

const isBelow = (path: string, parents: readonly string[]) =>
  parents.some((parent) => path === parent || path.startsWith(`${parent}/`))

/** Calls after which the protocol's clients look at the session again, whatever they changed. */
const sessionCalls = ['/sign-in', '/sign-up', '/two-factor']

/** The views that a successful call makes out of date: what it changes is what they show. */
function viewsOf({ method, path, changes }: Endpoint): View[] {
  const changed = new Set<string>(changes)
  const ofOrganization = isBelow(path, ['/organization']) && changed.size > 0
  const rules: Record<View, boolean> = {
    session: changed.has('user') || changed.has('session') || (method === 'POST' && isBelow(path, sessionCalls)),
    // Who joins or leaves changes their session too.
    organizations: changed.has('organization') || (changed.has('member') && changed.has('session')),
    activeOrganization: ofOrganization,
    activeMember: changed.has('member') || (ofOrganization && changed.has('session')),
    passkeys: changed.has('passkey'),
  }
  return (Object.keys(rules) as View[]).filter((view) => rules[view])
}

/** The text of the client's table of endpoints: method and views by path. Clients call no paths with parameters. */
export async function endpointTable(): Promise<string> {
  const endpoints = (await readContracts()).flatMap(({ contract }) => Object.values(contract))
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of endpoints) methods.set(path, (methods.get(path) ?? new Set()).add(method))
  const callable = endpoints.filter(({ path }) => !path.includes(':') && methods.get(path)!.size === 1)
  const lines = callable.map((endpoint) => {
    const entry = [endpoint.method, ...viewsOf(endpoint)].map((item) => `'${item}'`).join(', ')
    return `  '${endpoint.path}': [${entry}],`
  })
  return [
    '/** Made from the contracts by `npm run generate`, not by hand: how each path is called, and which views that changes. */',
    'export const endpoints = {',
    ...[...new Set(lines)].sort(),
    '} as const',
    '',
  ].join('\n')
}
