import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageFolder } from './template.ts'

/** Products of `init --template`: a folder for each framework, whose files are copied into `app/`. */
const templates = join(packageFolder, 'worker', 'cli', 'templates')

/** The folder of the product, a workspace of the deployment. */
export const productFolder = 'app'

/** The address of the product on this machine. */
export const productOrigin = 'http://localhost:3000'

export const templateNames = (): string[] => (existsSync(templates) ? readdirSync(templates).sort() : [])

/** What a framework writes beside the files of a template. */
const isMade = (path: string) =>
  /(^|\/)(node_modules|\.wrangler|\.react-router|\.next|\.open-next|\.svelte-kit|\.nuxt|\.output|\.astro|dist|build)\//.test(
    path,
  )

/**
 * The files of a product by their paths in the deployment's folder.
 * @param accounts the name of the deployment's Worker, for a service binding: `{{accounts}}` in the templates
 */
export function productFiles(name: string, accounts: string): Map<string, string> {
  const folder = join(templates, name)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    files
      .map((file) => [relative(folder, file).replaceAll('\\', '/'), file] as const)
      .filter(([path]) => !isMade(path))
      .sort()
      // npm leaves .gitignore out of a package.
      .map(([path, file]) => [
        `${productFolder}/${path.replace(/(^|\/)gitignore$/, '$1.gitignore')}`,
        readFileSync(file, 'utf8').replaceAll('{{accounts}}', accounts),
      ]),
  )
}
