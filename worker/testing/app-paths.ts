import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const client = join(import.meta.dirname, '../../client')

/** The text of the list of screens of the hosted app, read from their definitions. */
export function appPathsFile(): string {
  const lists = ['app/routes.ts', ...globSync('features/*/screens.ts', { cwd: client })]
  const text = lists.map((list) => readFileSync(join(client, list), 'utf8')).join('\n')
  const found = text.matchAll(/\b(?:visitor|member|moved)\(\s*'(\/[^']*)'/g)
  const paths = [...new Set([...found].map(([, path]) => path!))].sort()
  return [
    "/** Made from the app's routes by `npm run generate`, not by hand: the addresses that have a screen. */",
    'export const appPaths: readonly string[] = [',
    ...paths.map((path) => `  '${path}',`),
    ']',
    '',
  ].join('\n')
}
