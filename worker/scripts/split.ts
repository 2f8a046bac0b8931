import type { Plugin } from 'rolldown'
import { root } from './tools.ts'

/** What each module of a build imports, without what `import()` loads. */
type Graph = ReadonlyMap<string, readonly string[]>

/** Modules and all that they import. */
function closureOf(graph: Graph, roots: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (id: string): void => {
    const imports = graph.get(id)
    if (!imports || found.has(id)) return
    found.add(id)
    imports.forEach(visit)
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

/** How a build is divided. */
export interface Split {
  /** Reads the imports of the build's modules. */
  plugin: Plugin
  /** The chunk of a module, once the build has read all of them. */
  chunk(id: string): string | null
}

/**
 * The chunk of each module: `start` contains everything that the entry imports, the entry itself is a facade, because the
 * runtime permits no other exports. The others load later: for each feature one for the calls of others and one for its
 * own endpoints, one for what happens also for features that are off, and one for each library.
 */
export function splitOf(entry: string): Split {
  let chunk: (id: string) => string | null
  return {
    plugin: {
      name: 'graph',
      buildEnd() {
        const ids = [...this.getModuleIds()]
        chunk = chunksOf(new Map(ids.map((id) => [id, this.getModuleInfo(id)!.importedIds])), entry)
      },
    },
    chunk: (id) => chunk(id),
  }
}

function chunksOf(graph: Graph, entry: string): (id: string) => string | null {
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
