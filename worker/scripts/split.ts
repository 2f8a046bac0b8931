import { rolldown } from 'rolldown'
import { root } from './tools.ts'

/** The modules that the build reads, by id. */
interface Module {
  imports: string[]
  imported: string[]
}

type Graph = ReadonlyMap<string, Module>
type Options = NonNullable<Parameters<typeof rolldown>[0]>

/** The imports between the modules of a build. */
async function graphOf(options: Options): Promise<Graph> {
  const graph = new Map<string, Module>()
  const read = {
    name: 'graph',
    buildEnd(this: { getModuleIds(): Iterable<string>; getModuleInfo(id: string): unknown }) {
      for (const id of this.getModuleIds()) {
        const info = this.getModuleInfo(id) as { importedIds: string[]; dynamicallyImportedIds: string[] }
        graph.set(id, { imports: info.importedIds, imported: info.dynamicallyImportedIds })
      }
    },
  }
  const built = await rolldown({ ...options, plugins: [options.plugins, read] })
  await built.generate({ format: 'esm' })
  await built.close()
  return graph
}

/** Modules and all that they import, without what `import()` loads. */
function closureOf(graph: Graph, roots: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (id: string): void => {
    const module = graph.get(id)
    if (!module || found.has(id)) return
    found.add(id)
    for (const next of module.imports) visit(next)
  }
  for (const one of roots) visit(one)
  return found
}

const packageOf = (id: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]

/** Packages that work together, by the name of their chunk. */
const together: Record<string, string> = {
  xpath: 'xml',
  '@xmldom/xmldom': 'xml',
  '@xmldom/is-dom-node': 'xml',
  'xml-crypto': 'xml',
}

/**
 * The chunk of each module: `start` contains everything that the entry imports, the entry itself is a facade, because the
 * runtime permits no other exports. The others load later: for each feature one for the calls of others and one for its
 * own endpoints, one for what happens also for features that are off, and one for each library.
 */
export async function chunksOf(options: Options, entry: string): Promise<(id: string) => string | null> {
  const graph = await graphOf(options)
  const all = [...graph.keys()]
  const roots = (form: RegExp) =>
    closureOf(
      graph,
      all.filter((id) => form.test(id)),
    )
  const entryId = all.find((id) => id === `${root}/${entry}`)!
  const start = closureOf(graph, [entryId])
  const ends = roots(/\.ends\.ts$/)
  const parts = roots(/\.parts\.ts$/)
  const endpoints = roots(/\.endpoints\.ts$/)
  return (id) => {
    if (id === entryId) return null
    if (start.has(id) || !graph.has(id)) return 'start'
    const [, language] = /\/worker\/languages\/([^/]+)\//.exec(id) ?? []
    if (language) return `language-${language}`
    // Modules of Node that a library requires.
    if (/^builtin:esm-external-require-/.test(id)) return 'lib-node'
    const library = packageOf(id)
    if (library) return `lib-${(together[library] ?? library).replace('@', '').replace('/', '-')}`
    const feature = /\/worker\/features\/([^/]+)\//.exec(id)?.[1]
    if (ends.has(id)) return feature ? `${feature}-ends` : 'core'
    if (parts.has(id)) return feature ?? 'core'
    if (endpoints.has(id)) return feature ? `${feature}-endpoints` : 'core-endpoints'
    return null
  }
}
