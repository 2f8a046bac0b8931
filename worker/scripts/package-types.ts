// The declarations of the package: what the compiler emits, with every type that is computed from a library's spelled
// out, so that a consumer needs none of those libraries, and bundled into one file an entry.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { API, type Checker, NodeBuilderFlags, type Type } from 'typescript/unstable/sync'
import { quietEnvironment, root, run } from './tools.ts'

const project = join(root, 'worker/tsconfig.package.json')
const emitted = join(root, 'dist/types')

/** `export type User = typeof users.$inferSelect;`, `z.input<typeof body>`, `ReturnType<typeof present>`. */
const computed = /^((?:export )?(?:declare )?type (\w+) = )([^{};]*(?:\$infer|\bz\.|<typeof |keyof typeof )[^{};]*);$/gm

const flags =
  NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias | NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/** @param entries output names and the modules that they are made from */
export async function bundleTypes(entries: Record<string, string>, folder: string): Promise<void> {
  rmSync(emitted, { recursive: true, force: true })
  if ((await run('tsc', ['-p', project], { env: quietEnvironment })) !== 0) throw new Error('The types have errors.')
  spellOut()
  for (const [name, module] of Object.entries(entries)) {
    const bundle = await rolldown({
      input: { [name]: join(emitted, module.replace(/\.ts$/, '.d.ts')) },
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
      plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: project, logger: quiet })],
    })
    await bundle.write({ dir: folder, format: 'es' })
  }
}

const quiet = { info: () => undefined, warn: () => undefined, error: console.error }

/** Replaces in the emitted declarations what has to be computed by what the compiler computes. */
function spellOut(): void {
  const api = new API({ cwd: root })
  try {
    const { checker } = api.updateSnapshot({ openProjects: [project] }).getProject(project)!
    for (const file of globSync('**/*.d.ts', { cwd: emitted })) {
      const path = join(emitted, file)
      const text = readFileSync(path, 'utf8')
      const source = join(root, file.replace(/\.d\.ts$/, '.ts'))
      const spelled = text.replace(computed, (_, head: string, name: string) => {
        return `${head}${print(checker, typeNamed(checker, source, name))};`
      })
      if (spelled !== text) writeFileSync(path, spelled)
    }
    spellOutEndpoints(checker)
  } finally {
    api.close()
  }
}

const print = (checker: Checker, type: Type): string => checker.typeToString(type, undefined, flags)

function typeNamed(checker: Checker, source: string, name: string): Type {
  const place = readFileSync(source, 'utf8').search(new RegExp(`(?<=type )${name}\\b`))
  const symbol = place < 0 ? undefined : checker.getSymbolAtPosition(source, place)
  if (!symbol) throw new Error(`${relative(root, source)} has no type ${name}`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

/** The endpoints of gatehouse/client, each by what it takes and answers: their contracts hold schemas and tables. */
function spellOutEndpoints(checker: Checker): void {
  const file = 'client/sdk/own-endpoints'
  const endpoints = typeNamed(checker, join(root, `${file}.ts`), 'OwnEndpoints')
  const lines = checker.getPropertiesOfType(endpoints).map((endpoint) => {
    const exchange = checker.getTypeOfSymbol(endpoint)!
    const parts = checker
      .getPropertiesOfType(exchange)
      .map((part) => `${part.name}: ${print(checker, checker.getTypeOfSymbol(part)!)}`)
    return `  '${endpoint.name}': { ${parts.join('; ')} };`
  })
  const named = [
    ...readFileSync(join(emitted, 'client/lib/auth/endpoints.d.ts'), 'utf8').matchAll(
      /^export (?:interface|type) (\w+)/gm,
    ),
  ]
    .map(([, name]) => name!)
    .filter((name) => name !== 'Endpoints' && new RegExp(`\\b${name}\\b`).test(lines.join()))
  const path = join(emitted, `${file}.d.ts`)
  const text = `import type { ${named.join(', ')} } from '../lib/auth/endpoints.ts'\n${readFileSync(path, 'utf8')}`
  writeFileSync(
    path,
    text.replace(/^export type OwnEndpoints = .*$/m, `export interface OwnEndpoints {\n${lines.join('\n')}\n}`),
  )
}
