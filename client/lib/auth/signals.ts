import { endpoints } from './endpoints.generated.ts'

/** The views that a successful call may have made out of date. */
export type Signal = 'session' | 'organizations' | 'activeOrganization' | 'activeMember' | 'passkeys'

const table: Readonly<Record<string, readonly ['GET' | 'POST', ...Signal[]]>> = endpoints

const entryOf = (path: string) => (Object.hasOwn(table, path) ? table[path] : undefined)

/** How a path is called: as its contract says, else as the caller says, else POST when there is a body to send. */
export const methodFor = (path: string, hasBody: boolean, asked?: string): string =>
  entryOf(path)?.[0] ?? asked?.toUpperCase() ?? (hasBody ? 'POST' : 'GET')

/** What a successful call makes out of date: what its contract says that it changes. */
export function signalsOf(path: string): Set<Signal> {
  const [, ...signals] = entryOf(path) ?? ['GET']
  return new Set(signals)
}
