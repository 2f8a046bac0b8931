import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { isPlaceholderId, placeholder, templateValues } from '../template.ts'
import { wranglerFolder, wranglerVersion } from '../wrangler.ts'
import { printSection, type Table, tablesIn, type WranglerConfig } from '../wrangler-config.ts'
import { type Check, note, ok, problem } from './check.ts'
import { lateModules, uploadChecks } from './upload-checks.ts'

/** wrangler and its runtime: the configuration file names a date that the runtime must support. */
export function wranglerChecks(file: WranglerConfig | null): Check[] {
  const version = wranglerVersion()
  if (Number(version.split('.')[0]) < 4) {
    return [problem('wrangler', `${version} is too old; 4 is required`, 'npm install --save-dev wrangler@latest')]
  }
  const wanted = String(file?.values.compatibility_date ?? '')
  const newest = runtimeDate()
  if (newest !== null && wanted > newest) {
    const text = `${version} supports compatibility dates up to ${newest}, and ${file!.path} has ${wanted}`
    return [problem('wrangler', text, 'npm install --save-dev wrangler@latest')]
  }
  return [ok('wrangler', version)]
}

/** The newest compatibility date of the local runtime: the date in its version, `1.20261117.1`. */
function runtimeDate(): string | null {
  try {
    const { resolve: find } = createRequire(join(wranglerFolder(), 'package.json'))
    const { version } = JSON.parse(readFileSync(find('workerd/package.json'), 'utf8')) as { version: string }
    const [, year, month, day] = /^\d+\.(\d{4})(\d\d)(\d\d)\./.exec(version) ?? []
    return year ? `${year}-${month}-${day}` : null
  } catch {
    return null
  }
}

/** Compares the configuration file with the template of this version. */
export function fileChecks(file: WranglerConfig): Check[] {
  const template = templateValues(String(file.values.name ?? 'acme'))
  const missing = (name: string, text: string, section: Table) =>
    problem(name, text, `add to ${file.path}:\n\n${printSection(file, section)}`)
  const has = (name: string, list: Table[], wanted: Table, key: string, section: Table, what: string) =>
    list.some((one) => one[key] === wanted[key])
      ? ok(name, `is bound to ${what}`)
      : missing(name, `is missing; bind ${what}`, section)

  const { values } = file
  const [database] = tablesIn(template, 'd1_databases')
  const [namespace] = tablesIn(template, 'kv_namespaces')
  const objects = tablesIn(values, 'durable_objects', 'bindings')
  return [
    ...entryChecks(file),
    ...dateChecks(file, template),
    ...uploadChecks(file, template),
    has('DB', tablesIn(values, 'd1_databases'), database!, 'binding', { d1_databases: [database] }, 'a D1 database'),
    has(
      'KV',
      tablesIn(values, 'kv_namespaces'),
      namespace!,
      'binding',
      { kv_namespaces: [namespace] },
      'a KV namespace',
    ),
    archiveCheck(file, template),
    ...tablesIn(template, 'durable_objects', 'bindings').map((wanted) =>
      objects.some(({ name, class_name: bound }) => name === wanted.name && bound !== wanted.class_name)
        ? problem(
            String(wanted.name),
            `is bound to another class than ${wanted.class_name}`,
            `set class_name of ${wanted.name} to "${wanted.class_name}" in ${file.path}`,
          )
        : has(
            String(wanted.name),
            objects,
            wanted,
            'name',
            { durable_objects: { bindings: [wanted] } },
            `the Durable Object ${wanted.class_name}`,
          ),
    ),
    ...classChecks(file, template, missing),
    ...assetChecks(file, template, missing),
    cronCheck(file, template, missing),
    ...migrationFolderChecks(file),
  ]
}

/** The bucket is optional: R2 must be enabled in the account. */
function archiveCheck(file: WranglerConfig, template: Table): Check {
  if (tablesIn(file.values, 'r2_buckets').some(({ binding }) => binding === 'ARCHIVE')) {
    return ok('ARCHIVE', 'is bound to an R2 bucket: records of the audit log move there after audit.hotDays')
  }
  const [bucket] = tablesIn(template, 'r2_buckets')
  const text = 'is not bound: the audit log stays in D1, which ends at 10 GB, and is kept for 90 days by default'
  return note('ARCHIVE', text, `add to ${file.path}:\n\n${printSection(file, { r2_buckets: [bucket] })}`)
}

function cronCheck({ path, values }: WranglerConfig, template: Table, missing: Missing): Check {
  const [given, wanted] = [values.triggers, template.triggers].map(
    (section) => ((section as Table | undefined)?.crons ?? []) as string[],
  ) as [string[], string[]]
  const rest = wanted.filter((cron) => !given.includes(cron))
  if (rest.length === 0) return ok('crons', given.join(', '))
  const effect = rest.some((cron) => cron !== '* * * * *')
    ? 'no job is retried and no expired row is deleted'
    : 'the audit log is sealed every five minutes, not every minute'
  const text = `without ${rest.join(', ')} ${effect}`
  if (values.triggers === undefined) return missing('crons', text, { triggers: { crons: rest } })
  // A second section of the name would be an error.
  return problem('crons', text, `set crons of triggers to ${JSON.stringify([...given, ...rest])} in ${path}`)
}

function entryChecks({ path, folder, values }: WranglerConfig): Check[] {
  const main = values.main
  if (typeof main !== 'string') {
    return [
      problem(
        'main',
        `${path} names no entry module`,
        `set main to "src/index.ts" in ${path}; npx gatehouse-auth init writes the module`,
      ),
    ]
  }
  if (existsSync(resolve(folder, main))) return [ok('main', main)]
  const fix =
    main === 'src/index.ts'
      ? 'npx gatehouse-auth init writes src/index.ts'
      : `set main to "src/index.ts" in ${path}; npx gatehouse-auth init writes the module`
  return [problem('main', `${main} does not exist`, fix)]
}

function dateChecks({ path, values }: WranglerConfig, template: Table): Check[] {
  const [date, wanted] = [String(values.compatibility_date ?? ''), String(template.compatibility_date)]
  const flags = (values.compatibility_flags ?? []) as string[]
  const absent = ((template.compatibility_flags ?? []) as string[]).filter(
    (flag) => flag !== lateModules && !flags.includes(flag),
  )
  return [
    date >= wanted
      ? ok('compatibility_date', date)
      : problem(
          'compatibility_date',
          `${date || 'none'}; this version of the package is tested with ${wanted}`,
          `set compatibility_date to "${wanted}" in ${path}`,
        ),
    absent.length === 0
      ? ok('compatibility_flags', flags.join(', '))
      : problem(
          'compatibility_flags',
          `${absent.join(', ')} is missing`,
          `set compatibility_flags to ${JSON.stringify([...flags, ...absent])} in ${path}`,
        ),
  ]
}

type Missing = (name: string, text: string, section: Table) => Check

/** Durable Objects need a migration of wrangler for each class. */
function classChecks({ values }: WranglerConfig, template: Table, missing: Missing): Check[] {
  const known = new Set(tablesIn(values, 'migrations').flatMap((one) => (one.new_sqlite_classes ?? []) as string[]))
  const wanted = tablesIn(template, 'migrations').flatMap((one) => one.new_sqlite_classes as string[])
  const absent = wanted.filter((name) => !known.has(name))
  if (absent.length === 0) return []
  const tags = tablesIn(values, 'migrations').map(({ tag }) => tag)
  let number = tags.length + 1
  while (tags.includes(`v${number}`)) number++
  const section = { migrations: [{ tag: `v${number}`, new_sqlite_classes: absent }] }
  return [missing('migrations', `the class ${absent.join(', ')} has no migration of Durable Objects`, section)]
}

function assetChecks({ folder, path, values }: WranglerConfig, template: Table, missing: Missing): Check[] {
  const assets = values.assets as Table | undefined
  if (!assets) return [missing('ASSETS', 'is missing; bind the files of the app', { assets: template.assets })]
  const wanted = template.assets as { directory: string; not_found_handling: string; run_worker_first: string[] }
  const first = assets.run_worker_first
  const absent =
    first === true ? [] : wanted.run_worker_first.filter((one) => !((first ?? []) as string[]).includes(one))
  const folderOfApp = String(assets.directory ?? '')
  return [
    ...(assets.binding === 'ASSETS'
      ? []
      : [
          problem(
            'ASSETS',
            'the files of the app have another binding',
            `set binding of assets to "ASSETS" in ${path}`,
          ),
        ]),
    folderOfApp !== '' && existsSync(resolve(folder, folderOfApp))
      ? ok('ASSETS', folderOfApp)
      : problem(
          'ASSETS',
          folderOfApp ? `the folder ${folderOfApp} does not exist` : 'no folder of the app is named',
          folderOfApp === wanted.directory
            ? 'npm install'
            : `set directory of assets to "${wanted.directory}" in ${path}`,
        ),
    ...(absent.length === 0
      ? []
      : [
          problem(
            'run_worker_first',
            `${absent.join(', ')} does not reach the Worker`,
            `set run_worker_first of assets to ${JSON.stringify(wanted.run_worker_first)} in ${path}`,
          ),
        ]),
    ...((assets.not_found_handling ?? 'none') === wanted.not_found_handling
      ? []
      : [
          problem(
            'not_found_handling',
            'pages of the app would lose their frame',
            `set not_found_handling of assets to "none" in ${path}`,
          ),
        ]),
  ]
}

function migrationFolderChecks({ folder, path, values }: WranglerConfig): Check[] {
  const table = tablesIn(values, 'd1_databases').find(({ binding }) => binding === 'DB')
  if (!table) return []
  const named = String(table.migrations_dir ?? 'migrations')
  if (existsSync(resolve(folder, named))) return []
  const own = 'node_modules/gatehouse-auth/migrations'
  const fix = named === own ? 'npm install' : `set migrations_dir of DB to "${own}" in ${path}`
  return [problem('migrations_dir', `the folder ${named} does not exist`, fix)]
}

/** The values that a deployment replaces: ids and the origin. @param remote otherwise they are notes */
export function placeholderChecks({ path, values }: WranglerConfig, remote: boolean): Check[] {
  const judge = remote ? problem : note
  const fix = 'npx gatehouse-auth deploy creates it and writes the id'
  const checks: Check[] = []
  for (const [name, list, key] of [
    ['DB', 'd1_databases', 'database_id'],
    ['KV', 'kv_namespaces', 'id'],
  ] as const) {
    const table = tablesIn(values, list).find(({ binding }) => binding === name)
    if (table && isPlaceholderId(table[key])) checks.push(judge(name, `${key} in ${path} is the placeholder`, fix))
  }
  return checks
}

/** BASE_URL of the configuration file, and a route that leads its host to the Worker. */
export function originChecks({ path, values, env }: WranglerConfig, remote: boolean): Check[] {
  const base = (values.vars as Table | undefined)?.BASE_URL
  const judge = remote ? problem : note
  const set = `set BASE_URL in ${env === undefined ? '[vars]' : `the vars of ${env}`} of ${path} to the origin that users see, such as https://accounts.example.com; npx gatehouse-auth deploy asks for it`
  if (typeof base !== 'string' || base === '') return [judge('BASE_URL', 'is not set', set)]
  const url = URL.canParse(base) ? new URL(base) : null
  if (url?.pathname !== '/' || url.search || url.hash) {
    return [problem('BASE_URL', `${base} is not an origin`, set)]
  }
  if (base === placeholder || /(?:^|\.)(?:invalid|example|example\.com)$/.test(url.hostname)) {
    return [judge('BASE_URL', `${base} is a placeholder`, set)]
  }
  if (url.protocol !== 'https:') return [problem('BASE_URL', `${base} must begin with https:// in production`, set)]
  return [ok('BASE_URL', base), ...routeChecks(values, path, url.hostname, judge)]
}

function routeChecks(values: Table, path: string, host: string, judge: typeof problem): Check[] {
  const given = [...((values.routes ?? []) as unknown[]), ...(values.route === undefined ? [] : [values.route])]
  const patterns = given.map((one) => String(typeof one === 'object' && one !== null ? (one as Table).pattern : one))
  if (host.endsWith('.workers.dev')) {
    return values.workers_dev === false
      ? [judge('route', `workers_dev is false, and BASE_URL is at ${host}`, `set workers_dev to true in ${path}`)]
      : [ok('route', host)]
  }
  const reaches = patterns.some((pattern) => {
    const [name = ''] = pattern.replace(/^https?:\/\//, '').split('/')
    return name === host || (name.startsWith('*') && host.endsWith(name.slice(1)))
  })
  if (reaches) return [ok('route', host)]
  const format = path.endsWith('.toml') ? 'toml' : 'jsonc'
  const section = printSection({ format, env: undefined }, { routes: [{ pattern: host, custom_domain: true }] })
  const text = `no route leads ${host} to the Worker`
  return [
    judge('route', text, `add to ${path} (above the first section), or set a route in the dashboard:\n\n${section}`),
  ]
}

/** The variables of `wrangler dev`, and that git does not store them. */
export function variableChecks(): Check[] {
  if (!existsSync('.dev.vars')) return [problem('.dev.vars', 'does not exist', 'npx gatehouse-auth init writes it')]
  const variables = parseEnv(readFileSync('.dev.vars', 'utf8'))
  const checks: Check[] = []
  if ((variables.GATEHOUSE_SECRET ?? '').length < 32) {
    const fix = 'remove its line from .dev.vars; npx gatehouse-auth init adds a random one'
    checks.push(problem('GATEHOUSE_SECRET', 'has less than 32 characters in .dev.vars', fix))
  }
  if (variables.ENVIRONMENT !== 'development') {
    checks.push(problem('ENVIRONMENT', 'is not development in .dev.vars', 'set ENVIRONMENT=development in .dev.vars'))
  }
  if (!isIgnored()) {
    checks.push(
      problem('.gitignore', 'does not exclude .dev.vars, which has secrets', 'npx gatehouse-auth init adds the line'),
    )
  }
  return checks.length > 0 ? checks : [ok('.dev.vars', 'has a secret, and .gitignore excludes it')]
}

const isIgnored = (): boolean =>
  !existsSync('.git') ||
  (existsSync('.gitignore') && /^\/?\.dev\.vars\*?\r?$/m.test(readFileSync('.gitignore', 'utf8')))
