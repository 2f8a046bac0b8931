// The declarations of the package: the compiler's output with every type that is computed from a library's expanded, so
// that a consumer needs none of those libraries, and bundled into one file per entry.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { API, type Checker, NodeBuilderFlags, type Type } from 'typescript/unstable/sync'
import { documentOptions } from './document-options.ts'
import { quietEnvironment, root, run } from './tools.ts'

const project = join(root, 'worker/scripts/tsconfig.package.json')
const emitted = join(root, 'dist/types')

/** `export type User = typeof users.$inferSelect;`, `z.input<typeof body>`, `ReturnType<typeof present>`. */
const computed =
  /^((?:export )?(?:declare )?type (\w+) = )([^{};]*(?:\$infer|\bz\.|<typeof |keyof typeof |\bServed\[)[^{};]*);$/gm

const flags =
  NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias | NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/** @param groups output names and their modules; the entries of a group share a file for the types that they have in common */
export async function bundleTypes(groups: Record<string, string>[], folder: string): Promise<void> {
  rmSync(emitted, { recursive: true, force: true })
  // Each thread would compute the large types of the contracts again.
  const args = ['-p', project, '--singleThreaded']
  if ((await run('tsc', args, { env: quietEnvironment })) !== 0) throw new Error('The types have errors.')
  spellOut()
  for (const entries of groups) {
    const input = Object.entries(entries).map(([name, module]) => [
      name,
      join(emitted, module.replace(/\.tsx?$/, '.d.ts')),
    ])
    const bundle = await rolldown({
      input: Object.fromEntries(input),
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
      plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: project, logger: quiet })],
    })
    const { output } = await bundle.write({ dir: folder, format: 'es' })
    for (const { fileName } of output) {
      const written = join(folder, fileName)
      const text = readFileSync(written, 'utf8')
      const documented = text.includes('Options<"') ? documentOptions(text) : text
      // Tabs: two spaces a level would be a tenth of the declarations of the clients.
      writeFileSync(
        written,
        documented.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2)),
      )
    }
  }
}

const quiet = { info: () => undefined, warn: () => undefined, error: console.error }

/** Replaces computed types in the emitted declarations by the compiler's result. */
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
      if (spelled !== text) writeFileSync(path, withImports(spelled, file))
    }
    spellOutEndpoints(checker)
  } finally {
    api.close()
  }
}

/** Types that the compiler prints by name, and the modules that export them. */
const named = {
  SessionMethod: 'worker/identity/model/method.ts',
  WayId: 'worker/features/public-config/brand/ways.ts',
  FormField: 'worker/identity/users/additional-fields.ts',
  Themed: 'worker/kit/looks.ts',
  Palette: 'worker/kit/looks.ts',
  Declarations: 'worker/kit/elements.ts',
  Optional: 'worker/http/contract-types.ts',
  FieldValue: 'worker/kit/field-rules.ts',
  AddressVoucher: 'worker/identity/model/users.table.ts',
  PasswordOrInvitation: 'worker/features/admin/admin.operations.ts',
  PersonalData: 'worker/rpc/personal-data.ts',
  Continuation: 'worker/rpc/archived-personal-data.ts',
}

const moduleOf = (name: string) => Object.entries(named).find(([one]) => one === name)?.[1] ?? named.SessionMethod

/** Adds the imports of `named` that a printed type needs. @param file relative to the root */
function withImports(text: string, file: string): string {
  const imports = Object.entries(named)
    .filter(([name]) => new RegExp(`[^.]\\b${name}\\b`).test(text))
    .filter(([name]) => !new RegExp(`^(?:import type \\{[^}]*|export type )\\b${name}\\b`, 'm').test(text))
    .map(([name, module]) => `import type { ${name} } from '${pathTo(module, dirname(file))}'\n`)
  return imports.join('') + text
}

const pathTo = (module: string, folder: string): string => {
  const path = relative(folder, module)
  return path.startsWith('.') ? path : `./${path}`
}

const print = (checker: Checker, type: Type): string => checker.typeToString(type, undefined, flags)

function typeNamed(checker: Checker, source: string, name: string): Type {
  const place = readFileSync(source, 'utf8').search(new RegExp(`(?<=type )${name}\\b`))
  const symbol = place < 0 ? undefined : checker.getSymbolAtPosition(source, place)
  if (!symbol) throw new Error(`${relative(root, source)} has no type ${name}`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

/** The endpoints of gatehouse-auth/client with their inputs and answers. Their contracts contain schemas and tables. */
function spellOutEndpoints(checker: Checker): void {
  const file = 'client/sdk/endpoints'
  const endpoints = typeNamed(checker, join(root, `${file}.ts`), 'Endpoints')
  const lines = checker.getPropertiesOfType(endpoints).map((endpoint) => {
    const exchange = checker.getTypeOfSymbol(endpoint)!
    const parts = checker
      .getPropertiesOfType(exchange)
      .map((part) => `${part.name}: ${print(checker, checker.getTypeOfSymbol(part)!)}`)
    return `  '${endpoint.name}': { ${parts.join('; ')} };`
  })
  const shapes = [
    ...readFileSync(join(emitted, 'client/lib/auth/endpoints.d.ts'), 'utf8').matchAll(
      /^export (?:interface|type) (\w+)/gm,
    ),
  ]
    .map(([, name]) => name!)
    .filter((name) => name !== 'Endpoints' && new RegExp(`\\b${name}\\b`).test(lines.join()))
  // The contract would include every schema.
  const shared = join(emitted, 'client/lib/auth/endpoints.d.ts')
  const methods = readFileSync(shared, 'utf8').replace(
    /^export type \{([^}]*)\} from '([^']*)worker\/contract\.ts';/m,
    (_, names: string, up: string) =>
      names
        .split(',')
        .map((name) => name.trim())
        .map((name) => `export type { ${name} } from '${up}${moduleOf(name)}';`)
        .join('\n'),
  )
  writeFileSync(shared, methods)
  const path = join(emitted, `${file}.d.ts`)
  const text = `import type { ${shapes.join(', ')} } from '../lib/auth/endpoints.ts'\n${readFileSync(path, 'utf8')}`
  const spelled = text.replace(/^export type Endpoints = .*$/m, `export interface Endpoints {\n${lines.join('\n')}\n}`)
  writeFileSync(path, withImports(spelled, `${file}.d.ts`))
}
