import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'
import { parse } from 'smol-toml'
import { root } from './tools.ts'

/** As in a deployment of this repository. */
function aliases(): Record<string, string> {
  const { alias } = parse(readFileSync(join(root, 'wrangler.toml'), 'utf8')) as { alias: Record<string, string> }
  return Object.fromEntries(Object.entries(alias).map(([name, file]) => [name, join(root, file)]))
}

/** Bundles modules with their imports, except those of the runtime and of the consumer's package. */
export async function bundle(
  input: Record<string, string>,
  platform: 'neutral' | 'node',
  output: OutputOptions & { dir: string },
): Promise<void> {
  const built = await rolldown({
    input,
    cwd: root,
    platform,
    // bcryptjs imports Node's module without its prefix.
    external: [/^cloudflare:/, /^node:/, 'crypto', 'react', /^next\//, /^@tanstack\//],
    resolve: {
      alias: aliases(),
      conditionNames: ['workerd', 'worker', 'import', 'default'],
      mainFields: ['module', 'main'],
    },
  })
  // Without source maps, which would be two thirds of the package.
  await built.write({ format: 'esm', minify: true, paths: { crypto: 'node:crypto' }, ...output })
}
