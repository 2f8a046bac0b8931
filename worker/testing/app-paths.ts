import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const routes = join(import.meta.dirname, '../../client/app/routes.ts')

/** The text of the list of screens that the hosted app has, read from its routes. */
export function appPathsFile(): string {
  const found = readFileSync(routes, 'utf8').matchAll(/\b(?:visitor|member|moved)\(\s*'(\/[^']*)'/g)
  const paths = [...new Set([...found].map(([, path]) => path!))].sort()
  return [
    "/** Made from the app's routes by `npm run generate`, not by hand: the addresses that have a screen. */",
    'export const appPaths: readonly string[] = [',
    ...paths.map((path) => `  '${path}',`),
    ']',
    '',
  ].join('\n')
}
