import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'

// The texts of a language are files of their own, once for the app, the embed script, the components and the Worker.

const form = /\/worker\/languages\/([^/]+)\/(visitor|member|pages)\.json$/

/** The folder in the build of the app. */
const folder = 'words'

const before = 'export default '

/** The module of a file of texts: JSON after `export default`, which the Worker reads without evaluating it. */
export function wordsModule(path: string): { fileName: string; source: string } {
  const source = before + JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
  const hash = createHash('sha256').update(source).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8)
  return { fileName: `${folder}/${basename(dirname(path))}-${basename(path, '.json')}-${hash}.js`, source }
}

/**
 * Leaves the texts out of a build, which imports them from the build of the app.
 * @param app the path from the build's folder to that of the app
 * @param emits whether this is the build of the app
 */
export function sharedWords(app: string, emits = false): Plugin {
  const placeholder = 'words-of-the-app:'
  const files = new Set<string>()
  return {
    name: 'shared-words',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return null
      const path = join(dirname(importer), source)
      if (!form.test(path.replaceAll('\\', '/'))) return null
      files.add(path)
      this.addWatchFile(path)
      return { id: placeholder + wordsModule(path).fileName, external: true }
    },
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        const up = '../'.repeat(output.fileName.split('/').length - 1)
        output.code = output.code.replaceAll(placeholder, `./${up}${app}/`.replaceAll('/./', '/'))
      }
      if (emits) for (const path of files) this.emitFile({ type: 'asset', ...wordsModule(path) })
    },
  }
}
