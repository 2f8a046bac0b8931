import type { Change, Endpoint } from '../http/endpoint.ts'
import type { LiveChange } from '../platform/durable/live-channel.ts'
import { readContracts } from './contracts.ts'

type View = 'session' | 'organizations' | 'activeOrganization' | 'activeMember' | 'passkeys' | 'undelivered'

const isBelow = (path: string, parents: readonly string[]) =>
  parents.some((parent) => path === parent || path.startsWith(`${parent}/`))

/** Calls after which the protocol's clients read the session again, for all kinds of changes. */
const sessionCalls = ['/sign-in', '/sign-up', '/two-factor']

/** The views that a successful call invalidates: those of the entities that it changes. */
function viewsOf({ method, path, changes }: Pick<Endpoint, 'method' | 'path' | 'changes'>): View[] {
  const changed = new Set<string>(changes)
  const ofOrganization = isBelow(path, ['/organization']) && changed.size > 0
  const rules: Record<View, boolean> = {
    session: changed.has('user') || changed.has('session') || (method === 'POST' && isBelow(path, sessionCalls)),
    // A call that adds or removes members changes the session too.
    organizations: changed.has('organization') || (changed.has('member') && changed.has('session')),
    activeOrganization: ofOrganization,
    activeMember: changed.has('member') || (ofOrganization && changed.has('session')),
    passkeys: changed.has('passkey'),
    undelivered: changed.has('job'),
  }
  return (Object.keys(rules) as View[]).filter((view) => rules[view])
}

/** The entities that a message of the live channel concerns. A page whose own session has ended is closed instead. */
const entitiesOf: Record<LiveChange, readonly Change[]> = {
  user: ['user'],
  sessions: [],
  credentials: ['account', 'passkey'],
  organizations: ['organization', 'member', 'session'],
  purchases: ['billing'],
  // No view of the published clients.
  approvals: [],
}

/** The views of a message: those that a call with the same changes invalidates. */
const viewsOfMessage = (change: LiveChange): View[] =>
  viewsOf({ method: 'GET', path: change === 'organizations' ? '/organization' : '/', changes: entitiesOf[change] })

/** The text of the client's table of endpoints: method and views by path, without paths that cannot be names. */
export async function endpointTable(): Promise<string> {
  const endpoints = (await readContracts()).flatMap(({ contract }) => Object.values(contract))
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of endpoints) methods.set(path, (methods.get(path) ?? new Set()).add(method))
  const callable = endpoints.filter(({ path }) => !/[:.]/.test(path) && methods.get(path)!.size === 1)
  const groups = new Map<string, Set<string>>()
  for (const endpoint of callable) {
    const group = [endpoint.method, ...viewsOf(endpoint)].join(' ')
    groups.set(group, (groups.get(group) ?? new Set()).add(endpoint.path))
  }
  return [
    '/** Made from the contracts by `npm run generate`, not by hand: how paths are called, and which views that changes. */',
    'export const endpoints = {',
    ...[...groups.keys()].sort().flatMap((group) => written(group, [...groups.get(group)!].sort())),
    '} as const',
    '',
    '/** The views that a message of the live channel invalidates. */',
    'export const viewsOfMessages = {',
    ...(Object.keys(entitiesOf) as LiveChange[]).map(
      (change) =>
        `  ${change}: [${viewsOfMessage(change)
          .map((view) => `'${view}'`)
          .join(', ')}],`,
    ),
    '} as const',
    '',
  ].join('\n')
}

/** A list as the formatter has it. */
function written(group: string, paths: readonly string[]): string[] {
  const name = group.includes(' ') ? `'${group}'` : group
  const line = `  ${name}: [${paths.map((path) => `'${path}'`).join(', ')}],`
  return line.length <= 120 ? [line] : [`  ${name}: [`, ...paths.map((path) => `    '${path}',`), '  ],']
}
