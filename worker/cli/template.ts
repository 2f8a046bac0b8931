import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { type Table, tablesIn } from './wrangler-config.ts'

/** The package's own folder; this module is bundled into dist/package. */
export const packageFolder = join(import.meta.dirname, '../..')

/** The Worker refuses it, so that no link leads to another site. */
export const placeholder = 'https://accounts.example.invalid'

/** Ids of the template consist of zeros. */
export const isPlaceholderId = (id: unknown): boolean => typeof id !== 'string' || /^[0-]*$/.test(id)

/** Our own wrangler.toml, with the paths of this repository's folders changed to those of the package. */
export function consumerToml(own: string, name: string): string {
  const changes = {
    name,
    main: 'src/index.ts',
    base_dir: 'node_modules/gatehouse-auth/dist/package',
    directory: 'node_modules/gatehouse-auth/dist/client',
    migrations_dir: 'node_modules/gatehouse-auth/migrations',
    BASE_URL: placeholder,
    database_name: name,
    bucket_name: `${name}-archive`,
  }
  // The package is bundled, with the aliases.
  let text = own.replace(/(?:^#.*\n)*^\[(?:alias|build)\]\n(?:.+\n)*\n/gm, '')
  for (const [key, value] of Object.entries(changes)) {
    const line = new RegExp(`^${key} = ".*"$`, 'm')
    if (!line.test(text)) throw new Error(`wrangler.toml has no ${key}`)
    text = text.replace(line, `${key} = "${value}"`)
  }
  return text.replace(/ \(worker\/[^)]*\)/g, '').replace('worker/guides', 'node_modules/gatehouse-auth/worker/guides')
}

/** The configuration file of a new deployment of this version. */
export const templateToml = (name: string): string =>
  consumerToml(readFileSync(join(packageFolder, 'wrangler.toml'), 'utf8'), name)

/** The file with the bucket in a jurisdiction. The other stores get it when `gatehouse deploy` creates them. */
export const withJurisdiction = (toml: string, jurisdiction: string | undefined): string =>
  jurisdiction ? toml.replace(/^bucket_name = .+$/m, (line) => `${line}\njurisdiction = "${jurisdiction}"`) : toml

/** The same as an object, for comparisons. */
export const templateValues = (name: string): Table => parseToml(templateToml(name))

/** The classes of Durable Objects, which the entry module exports from the package. */
export const exportedClasses = (): string[] =>
  tablesIn(templateValues('acme'), 'durable_objects', 'bindings')
    .map(({ class_name: name }) => String(name))
    .sort()

/** The same file as JSONC, with its comments before the keys that they describe. */
export function tomlToJsonc(toml: string): string {
  const values: Table = parseToml(toml)
  const comments = new Map<string, string[]>()
  let waiting: string[] = []
  let section = ''
  for (const line of toml.split('\n')) {
    const [, header] = /^\[+([\w-]+)/.exec(line) ?? []
    const [, key] = /^([\w-]+) = /.exec(line) ?? []
    if (line.startsWith('#')) waiting.push(line.slice(1).trim())
    else if (header || key) {
      section = header ?? section
      const owner = section || key!
      if (waiting.length > 0) comments.set(owner, [...(comments.get(owner) ?? []), ...waiting])
      waiting = []
    }
  }
  const entries = [['$schema', 'node_modules/wrangler/config-schema.json'] as const, ...Object.entries(values)]
  const parts = entries.map(([key, value]) => {
    const said = (comments.get(key) ?? []).map((text) => `  // ${text}\n`)
    return `${said.join('')}  ${JSON.stringify(key)}: ${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}
