import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Table, tomlValue, type WranglerConfig } from '../wrangler-config.ts'
import { type Check, note, ok, problem } from './check.ts'

/** The compatibility flag with which the runtime compiles a module at its first import. */
export const lateModules = 'new_module_registry'

/** How wrangler uploads the package: as modules that load at their first use. Without these lines, all is one module. */
export function uploadChecks(file: WranglerConfig, template: Table): Check[] {
  const { path, values } = file
  const folder = folderCheck(file, String(template.base_dir))
  const flags = (values.compatibility_flags ?? []) as string[]
  const rules = (values.rules ?? []) as Table[]
  const [rule] = template.rules as [Table]
  const missing: [key: string, value: unknown][] = []
  if (!flags.includes(lateModules)) missing.push(['compatibility_flags', [...flags, lateModules]])
  if (values.find_additional_modules !== true) missing.push(['find_additional_modules', true])
  if (values.base_dir === undefined) missing.push(['base_dir', template.base_dir])
  if (!rules.some((one) => isSame(one, rule))) missing.push(['rules', [...rules, rule]])
  const slow = 'the whole package loads at the start of the Worker, which takes more than twice as long'
  const place = `in ${path}${file.format === 'toml' ? ', above the first section' : ''}`
  const notes = missing.map(([key, value]) =>
    note(
      'modules',
      slow,
      `set ${key} to ${file.format === 'toml' ? tomlValue(value) : JSON.stringify(value)} ${place}`,
    ),
  )
  return folder ? [folder, ...notes] : notes.length > 0 ? notes : [ok('modules', String(values.base_dir))]
}

const isSame = (one: Table, wanted: Table): boolean =>
  one.type === wanted.type && (wanted.globs as string[]).every((glob) => ((one.globs ?? []) as string[]).includes(glob))

/** The folder of `base_dir`, whose modules wrangler compares with the imports of the bundle. */
function folderCheck({ path, folder, values }: WranglerConfig, wanted: string): Check | null {
  if (values.base_dir === undefined) return null
  const given = String(values.base_dir)
  const found = resolve(folder, given)
  const fix = given === wanted ? 'npm install' : `set base_dir to ${JSON.stringify(wanted)} in ${path}`
  if (!existsSync(found)) return problem('base_dir', `the folder ${given} does not exist`, fix)
  if (!existsSync(join(found, 'c/start.js'))) return note('base_dir', `${given} is not the folder of the package`, fix)
  // Of the last folders only: the product itself may be behind a link.
  const parent = dirname(dirname(dirname(found)))
  if (join(realpathSync(parent), 'gatehouse-auth/dist/package') === realpathSync(found)) return null
  return note(
    'base_dir',
    `${given} is a link, so that wrangler uploads the package twice, and all of it loads at the start`,
    'install without links (pnpm: nodeLinker: hoisted in pnpm-workspace.yaml)',
  )
}
