import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import { expect, it } from 'vitest'

/**
 * What a module keeps lives as long as its isolate. Each collection of a module is a `BoundedMap`, never written after the
 * start, or in this list with the reason why requests cannot make it grow.
 */
const listed: Record<string, string> = {
  'features/api-key/api-key.store.ts usageQueries': 'a key of three booleans',
  'features/api-key/verdicts.ts isolates': 'one entry for each configuration, whose map has a maximum (maxEntries)',
  'features/identity-provider/model/protocol/known-resources.ts isolates':
    'one entry for each configuration, with one list',
  'features/identity-provider/verify-access-token.ts feeds': 'one entry for each fetch, whose map is bounded',
  'features/jwt/isolate-keys.ts imported': 'one entry for each key of that set, which is in memory anyway',
  'features/jwt/isolate-keys.ts isolates': 'one entry for each configuration, with one set of keys',
  'features/jwt/jwt.ts madeUnder': 'one entry for each configuration, whose map has a maximum (maxCreated)',
  'features/risk/attacks.ts isolates': 'one entry for each configuration, whose map has a maximum (maxKnown)',
  'features/risk/threats/known-defences.ts isolates': 'one entry for each configuration, with one bounded list',
  'features/server-keys/known-server-keys.ts isolates':
    'one entry for each configuration, whose map has a maximum (maxEntries)',
  'http/endpoint-uses.ts known': 'one entry for each endpoint',
  'http/json-response.ts secured': 'ends with its response',
  'http/lengths.ts compiled': 'one entry for each schema of the contract',
  'http/load-features.ts loaded': 'one entry for each feature',
  'http/pages/screens.ts parsed': 'one entry: it is cleared before another one',
  'identity/accounts/hash-ceiling.ts ceilings': 'one entry for each configured limit',
  'identity/accounts/passwords.ts dummyHashes': 'one entry for each configured hash',
  'identity/document-cache.ts written': 'one entry for each configuration, whose map is bounded',
  'identity/jobs/jobs.ts groups': 'ends with its statement',
  'identity/sealing/stored-secrets.ts isolates': 'one entry for each configuration, with one for each purpose',
  'identity/sessions/ended-sessions.ts knownPlaces': 'one number for each configuration',
  'identity/users/users.store.ts userWithPassword': 'one entry for each unique column',
  'kit/bounded-record.ts limits': 'one entry for each schema of a record',
  'languages/texts.ts loaded': 'one entry for each language',
  'languages/texts.ts known': 'one entry for each configuration, with one for each language and dictionary',
  'platform/jurisdiction.ts restricted': 'ends with its bindings',
}

const root = join(import.meta.dirname, '..')
const files = globSync('**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.{test,e2e,bench,cases}.ts', '{bench,testing,scripts,cli,guides}/**'],
})

interface Node {
  type: string
  [key: string]: unknown
}

const collections = ['Map', 'Set', 'WeakMap', 'WeakSet']

/** The names of collections that a module declares and writes to. */
function growing(source: string, body: readonly Node[]): string[] {
  const declarations = body.flatMap((node) => {
    const declared = (node.type === 'ExportNamedDeclaration' ? node.declaration : node) as Node | null
    return declared?.type === 'VariableDeclaration' ? (declared.declarations as Node[]) : []
  })
  return declarations.flatMap(({ id, init }) => {
    const { name } = id as { name?: string }
    const value = init as (Node & { callee?: { name?: string } }) | null
    const isCollection =
      (value?.type === 'NewExpression' && collections.includes(value.callee?.name ?? '')) ||
      value?.type === 'ArrayExpression'
    if (!name || !isCollection) return []
    // By its name in the file, so that a local variable of this name counts too.
    const writes = new RegExp(`(?<![\\w.])${name}(?:\\.(?:set|add|push|unshift)\\(|\\[[^\\]]+\\] (?:\\?\\?)?= )`)
    return /^Weak/.test(value.callee?.name ?? '') || writes.test(source) ? [name] : []
  })
}

const found = files.flatMap((file) => {
  const source = readFileSync(join(root, file), 'utf8')
  const { body } = parseSync(file, source).program as unknown as { body: Node[] }
  return growing(source, body).map((name) => `${file} ${name}`)
})

it('each collection of a module that grows is bounded, or listed with a reason', () => {
  expect(found.sort()).toEqual(Object.keys(listed).sort())
})

it('finds a collection that grows', () => {
  const source = 'const seen = new Map()\nexport const note = (id) => seen.set(id, 1)'
  expect(growing(source, parseSync('a.ts', source).program.body as unknown as Node[])).toEqual(['seen'])
})
