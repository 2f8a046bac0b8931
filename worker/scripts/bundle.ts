import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { parse } from 'smol-toml'
import { splitOf } from './split.ts'
import { root } from './tools.ts'

/** As in a deployment of this repository. */
function aliases(): Record<string, string> {
  const { alias } = parse(readFileSync(join(root, 'wrangler.toml'), 'utf8')) as { alias: Record<string, string> }
  return Object.fromEntries(Object.entries(alias).map(([name, file]) => [name, join(root, file)]))
}

/** The first screens (package.json, `#prerender`) are made with the app. */
const prerender = join(root, 'dist/client/.vite/prerender.js')

/** A development server answers calls before the app is built, and pages after it. @throws for files that are deployed */
const withoutApp = (isDeployed: boolean) => ({
  name: 'without-app',
  resolveId(id: string) {
    if (id !== '#prerender' || existsSync(prerender)) return null
    if (isDeployed)
      throw new Error('The Worker contains the first screens of the app. Build it first: npx vite build client')
    return '\0no-prerender'
  },
  load: (id: string) =>
    id === '\0no-prerender'
      ? 'export const prerender = async () => null\nexport const texts = { frames: {}, files: {} }'
      : null,
})

/** Modules of Node that libraries import without the prefix. */
const builtIn = ['crypto', 'util']

const inputOf = (input: Record<string, string>, platform: 'neutral' | 'node') =>
  ({
    input,
    cwd: root,
    platform,
    external: [/^cloudflare:/, 'react', /^next\//, /^@tanstack\//],
    // A Worker has no `require`.
    plugins: [esmExternalRequirePlugin({ external: [/^node:/, ...builtIn] })],
    resolve: {
      alias: aliases(),
      conditionNames: ['workerd', 'worker', 'import', 'default'],
      mainFields: ['module', 'main'],
    },
    // A module may be loaded later from one place and at once from another; start-chunk.node.test.ts says what may not.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      report(level, log)
    },
  }) satisfies InputOptions

// Without source maps, which would be two thirds of the package.
const outputOf = (output: OutputOptions): OutputOptions => ({
  format: 'esm',
  minify: true,
  paths: Object.fromEntries(builtIn.map((name) => [name, `node:${name}`])),
  ...output,
})

/** Bundles modules with their imports, except those of the runtime and of the consumer's package. */
export async function bundle(
  input: Record<string, string>,
  platform: 'neutral' | 'node',
  output: OutputOptions & { dir: string },
): Promise<void> {
  const built = await rolldown(inputOf(input, platform))
  await built.write(outputOf(output))
}

/** The files of a Worker, below its folder. */
export interface BuiltWorker {
  /** What the start of the Worker loads, and the ids of the modules in it. */
  start: { file: string; code: string; modules: readonly string[] }
  /** All files. */
  files: readonly { file: string; code: string }[]
}

export interface WorkerBuild {
  /** worker/index.ts for a deployment of this repository, worker/gatehouse.ts for the package. */
  entry: string
  /** The folder of the files; null: returns them only. */
  dir: string | null
  /** @default true */
  minify?: boolean
}

/**
 * Bundles a Worker as `index.js` and, below `c/`, the part that loads at its start and one for each feature, language and
 * library. wrangler uploads each as a module (wrangler.toml).
 */
export async function bundleWorker({ entry, dir, minify = true }: WorkerBuild): Promise<BuiltWorker> {
  const input = inputOf({ index: entry }, 'neutral')
  const { plugin, chunk } = splitOf(entry)
  const built = await rolldown({
    ...input,
    plugins: [input.plugins, withoutApp(dir !== null), plugin],
    preserveEntrySignatures: 'allow-extension',
  })
  const output = outputOf({
    minify,
    chunkFileNames: 'c/[name].js',
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunk, debugName: 'chunks' }] },
  })
  const { output: written } = dir === null ? await built.generate(output) : await built.write({ ...output, dir })
  await built.close()
  const chunks = written.filter((one) => one.type === 'chunk')
  if (dir !== null) removeOthers(resolve(root, dir, 'c'), new Set(chunks.map(({ fileName }) => basename(fileName))))
  const start = chunks.find((one) => one.name === 'start')!
  return {
    start: { file: start.fileName, code: start.code, modules: start.moduleIds },
    files: chunks.map(({ fileName, code }) => ({ file: fileName, code })),
  }
}

/** wrangler uploads every file of the folder, also those of an earlier build. */
function removeOthers(folder: string, names: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name))
}
