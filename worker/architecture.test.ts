import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The layers. An import may look down or stay in its layer; it never looks up, and never goes in a circle.
 */
const root = join(import.meta.dirname, '..')
const isTest = (file: string) =>
  /\.(test|e2e|bench)\.tsx?$/.test(file) || /^(worker\/(testing|bench|scripts)|client\/e2e)\//.test(file)

const files = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).filter((file) => !isTest(file) && !file.endsWith('.d.ts'))

interface Import {
  from: string
  to: string
  /** A package, not a file of ours. */
  external: boolean
}

const statement = /(?:^|\n)\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** `./x`, `./x.tsx` or a folder's index, as the file it is. */
function resolveFile(from: string, target: string): string {
  const base = relative(root, join(root, dirname(from), target))
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`]
  return candidates.find((candidate) => files.includes(candidate)) ?? base
}

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(statement)].map(([, fixed, lazy]) => {
    const target = (fixed ?? lazy)!
    const external = !target.startsWith('.')
    return { from, to: external ? target : resolveFile(from, target), external }
  }),
)
const inside = imports.filter(({ external }) => !external)

const workerLayers = ['kit', 'platform', 'identity', 'http', 'features']
const clientLayers = ['lib', 'ui', 'features', 'pages', 'app']

/** How high a file stands; what lies directly in worker/ is the wiring, above all. */
function layerOf(file: string): number {
  const [side, folder = ''] = file.split('/')
  const layers = side === 'worker' ? workerLayers : clientLayers
  const layer = layers.indexOf(folder)
  return layer === -1 ? layers.length : layer
}

/** Features that may use another: the short list. */
const friends: Record<string, string[]> = {
  'api-key': ['organization'],
  mcp: ['identity-provider'],
  'identity-provider': ['jwt'],
  'generic-oauth': ['social'],
  'one-tap': ['social'],
  'oauth-proxy': ['social'],
}

const featureOf = (file: string) => /^worker\/features\/([^/]+)\//.exec(file)?.[1]

const say = ({ from, to }: Import) => `${from} -> ${to}`

describe('the layers', () => {
  it('was read', () => {
    expect(files.length).toBeGreaterThan(80)
    expect(inside.length).toBeGreaterThan(200)
  })

  it('has no import that looks up', () => {
    const up = inside.filter(({ from, to }) => from.split('/')[0] === to.split('/')[0] && layerOf(to) > layerOf(from))
    expect(up.map(say)).toEqual([])
  })

  it('has no circles', () => {
    const next = new Map<string, string[]>()
    for (const { from, to } of inside) next.set(from, [...(next.get(from) ?? []), to])
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      if (done.has(file) || path.includes(file)) return
      for (const to of next.get(file) ?? []) walk(to, [...path, file])
      done.add(file)
    }
    for (const file of files) walk(file, [])
    expect(circles).toEqual([])
  })

  it('has no feature that uses another, but for the short list', () => {
    const trespasses = inside.filter(({ from, to }) => {
      const [here, there] = [featureOf(from), featureOf(to)]
      return here && there && here !== there && !friends[here]?.includes(there)
    })
    expect(trespasses.map(say)).toEqual([])
  })

  it('asks the database only in stores, tables and identity/', () => {
    const strangers = imports.filter(
      ({ from, to }) =>
        to.startsWith('drizzle-orm') &&
        !from.startsWith('worker/identity/') &&
        !/\.(store|table)\.ts$/.test(from) &&
        !/^worker\/platform\/(database|compiled|json-sql|statements)\.ts$/.test(from),
    )
    expect(strangers.map(say)).toEqual([])
  })

  it('shows the client its contract, and nothing else', () => {
    const reaches = inside.filter(
      ({ from, to }) => from.startsWith('client/') && to.startsWith('worker/') && to !== 'worker/contract.ts',
    )
    expect(reaches.map(say)).toEqual([])
    const worker = inside.filter(({ from, to }) => from.startsWith('worker/') && to.startsWith('client/'))
    // The sign-in is in the page before any script is: its template stands beside the screen whose markup it has.
    expect(worker.map(say)).toEqual([
      'worker/page-parts.ts -> client/app/first-screen.ts',
      'worker/page-parts.ts -> client/lib/auth/endpoints.ts',
    ])
  })

  it('gives the client types only', () => {
    const values = files
      .filter((file) => file.startsWith('client/'))
      .filter((file) =>
        /import\s+(?!type)[^;\n]*from\s+['"][^'"]*worker\/contract/.test(readFileSync(join(root, file), 'utf8')),
      )
    expect(values).toEqual([])
  })

  it('sets session cookies only where sessions live', () => {
    const users = inside.filter(({ to }) => to === 'worker/identity/sessions/sessions.store.ts').map(({ from }) => from)
    const writers = users.filter((file) => readFileSync(join(root, file), 'utf8').includes('insertSession'))
    expect(writers).toEqual(['worker/identity/sign-in.ts'])
  })

  it('writes no column’s name into SQL of its own', () => {
    const named = files
      .filter((file) => file.endsWith('.store.ts'))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/sql(?:<\w+>)?`([^`]*)`/g)].flatMap(([, text]) =>
          (text!.replace(/\$\{[^}]*\}/g, '').match(/\b\w+\.[a-z]+_[a-z_]+/g) ?? []).map((name) => `${file}: ${name}`),
        ),
      )
    expect(named).toEqual([])
  })

  it('names no column of a feature in what features share, but where a decision says so', () => {
    const columns =
      /\.(activeOrganizationId|impersonatedBy|(?:displayU|u)sername|phoneNumber(?:Verified)?|isAnonymous|twoFactorEnabled|role|ban(?:ned|Reason|Expires))\b(?!-)|\b(activeOrganizationId|impersonatedBy) }/g
    const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g
    const named = files
      .filter((file) => /^worker\/(identity|http)\//.test(file) && !file.endsWith('.table.ts'))
      .flatMap((file) => {
        const code = readFileSync(join(root, file), 'utf8').replace(comments, '')
        return [...code.matchAll(columns)].map(([, one, other]) => `${file}: ${one ?? other}`)
      })
    // Decision 32.
    expect([...new Set(named)].sort()).toEqual([
      'worker/identity/caller.ts: impersonatedBy',
      'worker/identity/events/record.ts: impersonatedBy',
      'worker/identity/sessions/sessions.store.ts: banExpires',
      'worker/identity/sessions/sessions.store.ts: banned',
      'worker/identity/sessions/sessions.store.ts: impersonatedBy',
      'worker/identity/sessions/sessions.ts: impersonatedBy',
    ])
  })

  it('reads the configuration in the entry module only', () => {
    const every = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}'], { cwd: root, exclude: ['**/node_modules/**'] })
    const readers = every.filter((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(statement)].some(
        ([, fixed, lazy]) => resolveFile(file, (fixed ?? lazy)!) === 'worker/config.ts',
      ),
    )
    expect(readers).toEqual(['worker/index.ts'])
  })

  it('keeps at its top level what belongs there', () => {
    const allowed =
      /^(worker|client|migrations|wrangler\.toml|package\.json|package-lock\.json|tsconfig\.json|vitest\.config\.ts|README\.md|LICENSE|node_modules|dist|\..*)$/
    expect(globSync('*', { cwd: root }).filter((name) => !allowed.test(name))).toEqual([])
  })
})
