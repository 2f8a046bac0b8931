import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '..')

const sourcesFile = '.vite/sources.json'

/** Files outside of client/ that a build read, and the hashes of all that it depends on. */
interface Sources {
  files: string[]
  hashes: [own: string, others: string]
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
    const path = join(root, file)
    hash.update(`${file}\0`).update(existsSync(path) ? readFileSync(path) : 'absent')
  }
  return hash.digest('hex')
}

/** The hash of client/ without its tests, and of the installed packages. */
function hashOfClient(): string {
  const exclude = ['client/e2e/**', 'client/**/*.test.ts', 'client/**/*.e2e.ts', 'client/**/*.md']
  return hashOf(['package-lock.json', ...globSync('client/**/*.*', { cwd: root, exclude }).sort()])
}

/** Whether a folder has the build of the present sources. */
export function isBuilt(folder: string): boolean {
  const file = join(folder, sourcesFile)
  if (!existsSync(file)) return false
  const { files, hashes } = JSON.parse(readFileSync(file, 'utf8')) as Sources
  return hashes[0] === hashOfClient() && hashes[1] === hashOf(files)
}

/** Writes the file for `isBuilt`: `npm run dev` uses a build until a source changes. */
export function sources(): Plugin {
  let own: string
  return {
    name: 'sources',
    apply: 'build',
    buildStart() {
      own = hashOfClient()
    },
    generateBundle() {
      const modules = [...this.getModuleIds()].map((id) => relative(root, id.split('?')[0]!))
      // Texts are files beside the modules (shared-words.ts).
      const texts = globSync('worker/languages/*/*.json', { cwd: root })
      const files = [...new Set([...modules, ...texts])]
        .filter((file) => /^(?!client\/|node_modules\/|\.\.|\0).*\.\w+$/.test(file))
        .sort()
      const source = JSON.stringify({ files, hashes: [own, hashOf(files)] } satisfies Sources)
      this.emitFile({ type: 'asset', fileName: sourcesFile, source })
    },
  }
}
