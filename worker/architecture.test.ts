import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'

/** The rules of worker/README.md about files and folders, checked on the syntax trees of all source files. */
const root = join(import.meta.dirname, '..')
const isTest = (file: string) =>
  /\.(test|e2e|bench|cases)\.tsx?$/.test(file) || /^(worker\/(testing|bench|scripts)|client\/e2e)\//.test(file)

const everyFile = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}'], {
  cwd: root,
  // The templates are files of products.
  exclude: ['**/node_modules/**', 'worker/cli/templates/**'],
}).filter((file) => !file.endsWith('.d.ts'))
const files = everyFile.filter((file) => !isTest(file))
const known = new Set(everyFile)
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

interface Import {
  from: string
  to: string
  /** An npm package. */
  external: boolean
  /** An import without a value at run time. */
  typeOnly: boolean
  names: string[]
}

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit)
  }
}

/** The file behind `./x.ts` or a folder's index. */
function resolveFile(from: string, target: string): string {
  const base = relative(root, join(root, dirname(from), target))
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`]
  return candidates.find((candidate) => known.has(candidate)) ?? base
}

interface Specifier {
  importKind?: string
  imported?: { name?: string }
}

interface Facts {
  imports: Import[]
  /** Names of called methods, such as `batch` of `db.batch()`. */
  methods: Set<string>
}

function factsOf(file: string): Facts {
  const imports: Import[] = []
  const methods = new Set<string>()
  walk(parseAst(textOf(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, (node) => {
    const source = node.source as { value?: unknown } | null | undefined
    if (/^(Import(Declaration|Expression)|Export(Named|All)Declaration|TSImportType)$/.test(node.type)) {
      if (typeof source?.value !== 'string') return
      const specifiers = (node.specifiers ?? []) as Specifier[]
      const external = !source.value.startsWith('.')
      imports.push({
        from: file,
        to: external ? source.value : resolveFile(file, source.value),
        external,
        typeOnly:
          node.type === 'TSImportType' ||
          node.importKind === 'type' ||
          node.exportKind === 'type' ||
          (specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type')),
        names: specifiers.flatMap(({ imported }) => imported?.name ?? []),
      })
    }
    const callee = node.type === 'CallExpression' ? (node.callee as Node & { property?: { name?: string } }) : null
    if (callee?.type === 'MemberExpression' && callee.property?.name) methods.add(callee.property.name)
  })
  return { imports, methods }
}

const facts = new Map(files.map((file) => [file, factsOf(file)]))
const imports = [...facts.values()].flatMap((one) => one.imports)
const inside = imports.filter(({ external }) => !external)

/** From below. What one line names is one layer. */
const workerLayers = [
  ['kit', 'languages'],
  ['platform'],
  ['identity'],
  ['http'],
  ['features'],
  ['contract.ts', 'configuration', 'openapi'],
  ['config.ts', 'features.ts', 'page-parts.ts'],
  ['scheduled.ts', 'rpc', 'app.ts'],
  ['gatehouse.ts', 'cli'],
  ['index.ts'],
]
const clientLayers = ['languages', 'lib', 'ui', 'features', 'pages', 'app'].map((folder) => [folder])

/** The layer of a file. The files directly in client/ and its other folders are on top. */
function layerOf(file: string): number {
  const [side, entry = ''] = file.split('/')
  const layers = side === 'worker' ? workerLayers : clientLayers
  const layer = layers.findIndex((entries) => entries.includes(entry))
  return layer === -1 ? layers.length : layer
}

/** Features that may import another. */
const friends: Record<string, string[]> = {
  'api-key': ['organization'],
  // A user whom a server creates without a password chooses one by the link of a reset.
  admin: ['email-password'],
  // Acts of administrators are recorded in their audit log.
  organization: ['admin'],
  // Connections belong to organizations, and use the client of providers.
  enterprise: ['organization', 'social'],
  // A directory belongs to a connection of an organization.
  directory: ['enterprise', 'organization'],
  // Members of an organization read its records, open pages watch them, and streams are signed as webhooks. An access
  // review lists members, how they came, and the keys and agents of the organization. Administrators have streams too.
  audit: ['admin', 'agents', 'api-key', 'enterprise', 'identity-provider', 'live', 'organization', 'webhooks'],
  // Agents are clients of the identity provider, belong to a user or an organization, and may use the tokens of linked accounts.
  agents: ['identity-provider', 'jwt', 'organization', 'social'],
  // Resources of organizations are at domains that those have verified.
  'identity-provider': ['enterprise', 'jwt', 'organization'],
  // A passkey after a password completes a sign-in that waits for its second factor.
  passkey: ['two-factor'],
  'shared-signals': ['admin', 'jwt'],
  'server-keys': ['admin'],
  // getSession takes a key in its header.
  session: ['api-key'],
}

const featureOf = (file: string) => /^worker\/features\/([^/]+)\//.exec(file)?.[1]

const say = ({ from, to }: Import) => `${from} -> ${to}`

/** The cycles of a graph, each one once. */
function cyclesOf(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (one: string, path: string[]): void => {
    if (path.includes(one)) cycles.push([...path.slice(path.indexOf(one)), one].join(' -> '))
    if (done.has(one) || path.includes(one)) return
    for (const to of next.get(one) ?? []) visit(to, [...path, one])
    done.add(one)
  }
  for (const one of next.keys()) visit(one, [])
  return cycles
}

const graph = (edges: readonly (readonly [string, string])[]) => {
  const next = new Map<string, string[]>()
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to])
  return next
}

/** The two entries of their common folder that an import connects: `identity/users` and `identity/scope.ts`. */
function siblingsOf({ from, to }: Import): [string, string] {
  const [here, there] = [from.split('/'), to.split('/')]
  const level = here.findIndex((part, at) => part !== there[at]) + 1
  return [here.slice(0, level).join('/'), there.slice(0, level).join('/')]
}

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
    expect(cyclesOf(graph(inside.map(({ from, to }) => [from, to] as const)))).toEqual([])
  })

  it('has no circles of folders, or of folders and files beside them', () => {
    const within = inside.filter(({ from, to }) => from.split('/')[0] === to.split('/')[0])
    expect(cyclesOf(graph(within.map(siblingsOf)))).toEqual([])
  })

  it('has no feature that uses another, but for the short list', () => {
    const trespasses = inside.filter(({ from, to }) => {
      const [here, there] = [featureOf(from), featureOf(to)]
      return here && there && here !== there && !friends[here]?.includes(there)
    })
    expect(trespasses.map(say)).toEqual([])
  })

  it('keeps test code out of the Worker and the app; the cases of a feature have its name', () => {
    expect(inside.filter(({ to }) => isTest(to)).map(say)).toEqual([])
    const cases = everyFile.filter((file) => file.endsWith('.cases.ts'))
    expect(cases.length).toBeGreaterThan(20)
    expect(cases.filter((file) => !/^worker\/features\/(?:.+\/)?([^/]+)\/\1\.cases\.ts$/.test(file))).toEqual([])
  })

  it('has at most eight files in worker/ itself, each with a layer of its own', () => {
    const atRoot = files.filter((file) => /^worker\/[^/]+$/.test(file))
    expect(atRoot.filter((file) => layerOf(file) === workerLayers.length)).toEqual([])
    expect(atRoot.length).toBeLessThanOrEqual(8)
  })

  it('names features in features/ only, and imports them where they are assembled', () => {
    const folders = globSync('worker/features/*', { cwd: root }).map((folder) => folder.split('/').at(-1)!)
    // Words with another meaning, too.
    const names = folders.filter((name) => !['audit', 'directory', 'jobs', 'profile', 'session'].includes(name))
    const literal = new RegExp(`'(?:${names.join('|')})'`, 'g')
    const named = files
      .filter((file) => /^worker\/(kit|platform|http|openapi|rpc|configuration|[^/]+\.ts)/.test(file))
      .filter((file) => !file.endsWith('.generated.ts'))
      .flatMap((file) => [...textOf(file).matchAll(literal)].map(([text]) => `${file}: ${text}`))
    expect(named).toEqual([])
    const assembling = new Set(
      inside
        .filter(({ from, to }) => !/^(worker|client)\/features\//.test(from) && to.startsWith('worker/features/'))
        .map(({ from }) => from),
    )
    expect([...assembling].sort()).toEqual([
      // The options that `doctor` reports: administrators and callback URLs of providers.
      'worker/cli/doctor/account-checks.ts',
      'worker/cli/doctor/product-checks.ts',
      // The tables of the imported rows; the redirect URIs of imported clients are checked.
      'worker/cli/import/records.ts',
      'worker/cli/import/related-rows.ts',
      'worker/cli/import/rows.ts',
      'worker/cli/import/sources/better-auth-related.ts',
      // The rules of a new key.
      'worker/cli/keys.ts',
      'worker/cli/recover.ts',
      // The commands that the Worker runs for an operator.
      'worker/cli/users/operator-job.ts',
      'worker/cli/users/users.ts',
      // Generated.
      'worker/configuration/options.ts',
      'worker/contract.ts',
      'worker/features.ts',
      // The brand of pages and mails, which scopes have.
      'worker/gatehouse.ts',
      'worker/page-parts.ts',
      // Back ends verify access tokens with the client.
      'worker/rpc/client.ts',
      // The brand that is tried out.
      'worker/rpc/development.ts',
      // The previews of all mails.
      'worker/rpc/every-mail.ts',
      // Generated.
      'worker/rpc/personal-data.ts',
      'worker/rpc/server-operations.ts',
    ])
  })

  it('has a description of the same name in the folder of each feature', () => {
    const folders = globSync('worker/features/*', { cwd: root })
    const missing = folders.filter((folder) => !known.has(`${folder}/${folder.split('/').at(-1)}.feature.ts`))
    expect(missing).toEqual([])
  })

  it('has no folder that is more than three deep, no file above 400 lines, and no barrel file', () => {
    // A large `model/` of a feature has folders of its own.
    const isDeep = (file: string) => file.replace(/^(worker\/features\/[^/]+)\/model\//, '$1/').split('/').length > 5
    expect(files.filter(isDeep)).toEqual([])
    const isLong = (text: string) => text.split('\n').length > 401 && !text.startsWith('/** Generated by ')
    expect(files.filter((file) => isLong(textOf(file)))).toEqual([])
    expect(files.filter((file) => /^export \*/m.test(textOf(file)))).toEqual([])
  })

  it('has no folder with one file', () => {
    const folders = [...new Set(everyFile.map(dirname))]
    const alone = folders.filter(
      (folder) =>
        everyFile.filter((file) => file.startsWith(`${folder}/`)).length === 1 &&
        readdirSync(join(root, folder)).length === 1,
    )
    // The import source of JSX, whose name `jsx-runtime` the compiler adds.
    expect(alone).toEqual(['client/sdk/components/jsx'])
  })

  it('has pure functions in kit/: without a clock', () => {
    const clocks = files.filter(
      (file) => file.startsWith('worker/kit/') && /Date\.now\(|new Date\(\)/.test(textOf(file)),
    )
    expect(clocks).toEqual([])
  })

  it('keeps the router out of use cases', () => {
    const users = imports.filter(({ to }) => /^hono($|\/cors)/.test(to)).map(({ from }) => from)
    // The adapter for products that use it.
    expect(users.filter((file) => !/^worker\/(app\.ts|http\/|rpc\/development\.ts)/.test(file))).toEqual([
      'client/sdk/adapters/hono.ts',
    ])
  })

  it('asks the database only in stores, tables and identity/', () => {
    const strangers = imports.filter(
      ({ from, to }) =>
        to.startsWith('drizzle-orm') &&
        // The import reads the names and types of columns.
        !/^worker\/(identity|cli\/import)\//.test(from) &&
        !/\.(store|table)\.ts$/.test(from) &&
        !/^worker\/platform\/(database|json-sql|personal-rows|statements)\.ts$/.test(from),
    )
    expect(strangers.map(say)).toEqual([])
  })

  it('writes through the unit of work: only it and `read` run batches, and only it handles constraint violations', () => {
    const platform = ['worker/platform/database.ts', 'worker/platform/statements.ts']
    const batches = files.filter((file) => facts.get(file)!.methods.has('batch') && !platform.includes(file))
    const names = ['runBatch', 'takenColumn', 'unmetDemand']
    // The command line has no scope: `keys` runs the statements of the feature through wrangler.
    const users = inside.filter(
      ({ from, names: used }) => from !== 'worker/cli/keys.ts' && used.some((name) => names.includes(name)),
    )
    expect(batches).toEqual([])
    // The unit of work starts the dispatcher, which therefore cannot use it.
    expect(users.map(({ from }) => from)).toEqual([
      'worker/identity/unit-of-work.ts',
      'worker/identity/unit-of-work.ts',
      'worker/identity/jobs/dispatch.ts',
    ])
  })

  it('shows the client its contract and the pure functions of kit, nothing else', () => {
    // The app decides with the Worker's own functions of kit/, which have no I/O; the bundle budget limits what it imports.
    const reaches = inside.filter(
      ({ from, to }) =>
        from.startsWith('client/') && to.startsWith('worker/') && !/^worker\/(contract\.ts|kit\/)/.test(to),
    )
    expect(reaches.map(say)).toEqual([])
    const worker = inside.filter(({ from, to }) => from.startsWith('worker/') && to.startsWith('client/'))
    // The first screens are an artefact of the build of the app (package.json, `#prerender`).
    expect(worker.map(say)).toEqual([])
  })

  it('gives the client types only', () => {
    const values = inside.filter(
      ({ from, to, typeOnly }) => from.startsWith('client/') && to === 'worker/contract.ts' && !typeOnly,
    )
    expect(values.map(({ from }) => from)).toEqual([])
  })

  it('sets session cookies only where sessions live', () => {
    const users = inside.filter(({ to }) => to === 'worker/identity/sessions/sessions.store.ts').map(({ from }) => from)
    const writers = users.filter((file) => textOf(file).includes('insertSession'))
    expect(writers).toEqual(['worker/identity/sign-in/sign-in.ts'])
  })

  it('writes no column’s name into SQL of its own', () => {
    const named = files
      .filter((file) => file.endsWith('.store.ts'))
      .flatMap((file) =>
        [...textOf(file).matchAll(/sql(?:<\w+>)?`([^`]*)`/g)].flatMap(([, text]) =>
          (text!.replace(/\$\{[^}]*\}/g, '').match(/\b\w+\.[a-z]+_[a-z_]+/g) ?? []).map((name) => `${file}: ${name}`),
        ),
      )
    expect(named).toEqual([])
  })

  it('shared code names no column of a feature, except where a decision permits it', () => {
    const columns =
      /\.(activeOrganizationId|impersonatedBy|(?:displayU|u)sername|phoneNumber(?:Verified)?|isAnonymous|twoFactorEnabled|role|ban(?:ned|Reason|Expires))\b(?!-)|\b(activeOrganizationId|impersonatedBy) }/g
    const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g
    const named = files
      .filter((file) => /^worker\/(identity|http)\//.test(file) && !file.endsWith('.table.ts'))
      .flatMap((file) => {
        const code = textOf(file).replace(comments, '')
        return [...code.matchAll(columns)].map(([, one, other]) => `${file}: ${one ?? other}`)
      })
    // Decision 32.
    expect([...new Set(named)].sort()).toEqual([
      'worker/identity/caller.ts: impersonatedBy',
      'worker/identity/sessions/sessions.store.ts: banExpires',
      'worker/identity/sessions/sessions.store.ts: banned',
      'worker/identity/sessions/sessions.store.ts: impersonatedBy',
      'worker/identity/users/announce.ts: impersonatedBy',
    ])
  })

  it('reads the configuration in the entry module only', () => {
    const tests = everyFile.filter(isTest).flatMap((file) => factsOf(file).imports)
    const readers = [...imports, ...tests].filter(({ to }) => to === 'worker/config.ts').map(({ from }) => from)
    expect(readers).toEqual(['worker/index.ts'])
  })

  it('has only the permitted files at its top level', () => {
    const allowed =
      /^(worker|client|migrations|wrangler\.toml|package\.json|package-lock\.json|tsconfig\.json|vitest\.config\.ts|README\.md|LICENSE|node_modules|dist|\..*)$/
    expect(globSync('*', { cwd: root }).filter((name) => !allowed.test(name))).toEqual([])
  })
})
