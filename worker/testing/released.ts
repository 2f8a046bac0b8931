import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../scripts/tools.ts'
import { type Exports, exportsOf, type Surface } from './surface.ts'

const folder = join(root, 'worker/testing/released')

/** The file of a version, below the root. */
export const surfaceFile = (version: string) => `worker/testing/released/${version}.json`

/** The endpoints and exports of the last release (worker/checks/released-surface.node.test.ts). */
export function lastRelease(): { version: string; surface: Surface } {
  const versions = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
  const version = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)!
  return { version, surface: JSON.parse(readFileSync(join(folder, `${version}.json`), 'utf8')) }
}

/** The sections of the changelog above a version. */
export function changesSince(version: string): string {
  const text = readFileSync(join(root, 'worker/CHANGELOG.md'), 'utf8')
  const end = text.search(new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm'))
  if (end < 0) throw new Error(`worker/CHANGELOG.md has no section ## ${version}`)
  return text.slice(0, end)
}

/** The names in the declarations of the built package. */
export function exportsOfPackage(): Exports {
  const files = globSync('dist/package/*.d.ts', { cwd: root }).sort()
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string }>
  }
  const entries = new Set(Object.values(exports).map(({ types }) => types))
  return Object.fromEntries(
    files
      .filter((file) => entries.has(`./${file.replaceAll('\\', '/')}`))
      .map((file) => [basename(file, '.d.ts'), exportsOf(readFileSync(join(root, file), 'utf8'))]),
  )
}
