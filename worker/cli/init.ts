import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { Command, Option } from '@commander-js/extra-typings'
import { type Jurisdiction, jurisdictions } from '../platform/jurisdiction.ts'
import { type Manifest, packageManager, readManifest, settingsOf, withWorkspace, workspacesOf } from './manifest.ts'
import { productFiles, productFolder, productOrigin, templateNames } from './product-template.ts'
import { exportedClasses, packageFolder, templateToml, tomlToJsonc, withJurisdiction } from './template.ts'

/** A TypeScript string literal on one line. */
const quoted = (text: string): string => `'${text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/['\\]/g, '\\$&')}'`

/** What the product of a template adds to the built-in roles of an organization. */
const taskRoles = `
  // What the members of an organization may do with its tasks, in app/.
  organization: {
    roles: {
      owner: { task: ['create', 'delete'] },
      admin: { task: ['create', 'delete'] },
      member: { task: ['create'] },
    },
  },`

/** @param origins of products, which the pages may lead back to */
export const entry = (
  appName: string,
  origins: readonly string[] = [],
  jurisdiction?: Jurisdiction,
) => `import { gatehouse } from 'gatehouse-auth'

const accounts = gatehouse({
  appName: ${quoted(appName)},
  emailAndPassword: { commonPasswords: 'refuse' },
  user: { disposableAddresses: { action: 'refuse' } },
  // A right password from an unknown place needs a code from the mailbox.
  risk: { level: 'challenge' },
  // A copied session cookie is worthless without the key of its device, where the browser has one.
  session: { deviceBound: 'offer' },
  emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },${origins.map((one) => `\n  trustedOrigins: [${quoted(one)}],`).join('')}${jurisdiction ? `\n  jurisdiction: '${jurisdiction}',` : ''}${origins.length > 0 ? taskRoles : ''}
})

export default accounts.handler
export const { ServerApi } = accounts
export { ${exportedClasses().join(', ')} } from 'gatehouse-auth'
/** For the types of products: \`gatehouseAuth<Accounts>(...)\`. */
export type Accounts = typeof accounts
`

/** A Worker name from the name of the product: lower case, digits, dashes. */
const workerName = (product: string) =>
  product
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'accounts'

const manifest = (name: string) => ({
  name,
  private: true,
  type: 'module',
  scripts: {
    dev: 'gatehouse-auth dev',
    check: 'tsc',
    doctor: 'gatehouse-auth doctor',
    deploy: 'gatehouse-auth deploy',
  },
  dependencies: { 'gatehouse-auth': installedFrom() },
  devDependencies: { '@cloudflare/workers-types': '^5', typescript: '*', wrangler: '^4' },
})

/**
 * The dependency that installs this package from where it came: a tarball or a folder by its path, otherwise the version
 * of the registry. npx and pnpm dlx write it into the package.json of the folder above.
 * @param from the folder that the path starts in
 */
function installedFrom(from = '.'): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  for (let folder = packageFolder; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (!existsSync(file)) continue
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> }
    const source = dependencies?.['gatehouse-auth']
    if (!source) continue
    if (!source.startsWith('file:')) break
    return `file:${relative(resolve(from), resolve(folder, source.slice('file:'.length))).replaceAll('\\', '/')}`
  }
  return version
}

/** The types of workerd and of `gatehouse-auth`. */
const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024'],
    types: ['@cloudflare/workers-types'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['src'],
}

const ignored = ['node_modules/', '.wrangler/', '.dev.vars']

export const command = new Command('init')
  .description(`Writes a deployment into this folder. It overwrites nothing and prints a summary. The name of the product is for
    mails and screens.`)
  .argument('[name]', 'the name of the product', 'Acme')
  .addOption(
    new Option('--config <format>', 'the format of the configuration file of wrangler')
      .choices(['toml', 'jsonc'])
      .default('toml'),
  )
  .addOption(
    new Option(
      '--template <framework>',
      `also writes a product with a public and a protected page into ${productFolder}/`,
    ).choices(templateNames()),
  )
  .addOption(
    new Option(
      '--jurisdiction <place>',
      'where all stores keep their data; cannot change after the deployment',
    ).choices(jurisdictions),
  )
  .action((appName, { config, template, jurisdiction }) => writeDeployment(appName, config, template, jurisdiction))

/** Writes what a deployment needs into the current folder, and overwrites nothing. */
function writeDeployment(
  appName: string,
  format: string,
  template: string | undefined,
  jurisdiction: Jurisdiction | undefined,
): void {
  const name = workerName(appName)
  // Nothing is written beside a package.json that is to be corrected.
  const present = readManifest()
  const manager = packageManager()
  const before = foreignFiles()

  const main = before.includes(entryFile) ? otherEntryFile : entryFile
  write(main, entry(appName, template ? [productOrigin] : [], jurisdiction))
  const config = configFiles.find((file) => existsSync(file)) ?? `wrangler.${format}`
  const toml = withJurisdiction(templateToml(name), jurisdiction).replace(`"${entryFile}"`, `"${main}"`)
  write(config, config.endsWith('.toml') ? toml : tomlToJsonc(toml))
  write('tsconfig.json', toJson(tsconfig))
  if (template) {
    for (const [path, text] of productFiles(template, name)) {
      write(path, path === `${productFolder}/package.json` ? withSource(text) : withEntry(text, main))
    }
  }
  for (const [path, text] of settingsOf[manager]) write(path, text)
  const { isComplete, scripts } = writeManifest(present, manifest(name), template !== undefined)
  const variables = existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')) : {}
  append('.dev.vars', [
    ...(variables.GATEHOUSE_SECRET ? [] : [`GATEHOUSE_SECRET=${randomBytes(32).toString('base64url')}`]),
    ...(variables.ENVIRONMENT ? [] : ['ENVIRONMENT=development']),
    // Empty: development is at the address that the browser requests, on any port.
    ...('BASE_URL' in variables ? [] : ['BASE_URL=']),
  ])
  const lines = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8').split(/\r?\n/) : []
  append(
    '.gitignore',
    ignored.filter((line) => !lines.includes(line)),
  )
  const pages = template ? `open ${productOrigin}` : 'sign up at http://localhost:8787/sign-up'
  const steps = [
    ...(isComplete && existsSync('node_modules/gatehouse-auth') ? [] : [`${manager} install`]),
    ...(before.includes(config) ? [`npx gatehouse-auth doctor   (names what ${config} lacks)`] : []),
    // Another script of the name starts another program.
    scripts.dev === 'gatehouse-auth dev' ? `${manager} run dev` : 'npx gatehouse-auth dev',
  ]
  console.log(`
Next:
${steps.map((step) => `  ${step}`).join('\n')}

Then ${pages}; mails are at http://localhost:8787/dev/mailbox.`)
}

const entryFile = 'src/index.ts'
/** Beside an entry of another program. */
const otherEntryFile = 'src/accounts.ts'
const configFiles = ['wrangler.toml', 'wrangler.jsonc', 'wrangler.json']

/** The files that a deployment needs, and that belong to another program. */
const foreignFiles = (): string[] =>
  [entryFile, ...configFiles].filter(
    (file) => existsSync(file) && !readFileSync(file, 'utf8').includes('gatehouse-auth'),
  )

/** A file of the product, whose types are those of the deployment's entry. */
const withEntry = (text: string, main: string): string =>
  text.replaceAll(/(\.\.\/)src\/index'/g, (_, up) => `${up}${main.replace(/\.ts$/, '')}'`)

/** The product's package.json, with the package from where it came. */
const withSource = (text: string): string =>
  text.replace(/("gatehouse-auth": )"\*"/, (_, key) => `${key}${JSON.stringify(installedFrom(productFolder))}`)

const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/**
 * Writes package.json, or adds the missing scripts and dependencies to it. A product is a workspace of the folder, so that one
 * installation serves both.
 * @returns the scripts, and whether nothing has to be installed because of it
 */
function writeManifest(
  present: Manifest | null,
  own: ReturnType<typeof manifest>,
  hasProduct: boolean,
): { scripts: Record<string, string>; isComplete: boolean } {
  const isWorkspace = hasProduct && !(present && workspacesOf(present).includes(productFolder))
  let values: Manifest = isWorkspace ? withWorkspace(present ?? own, productFolder) : (present ?? own)
  if (!present) {
    write('package.json', toJson(values))
    return { scripts: own.scripts, isComplete: false }
  }
  const added = isWorkspace ? ['workspaces'] : []
  const names = new Set(sections.flatMap((section) => Object.keys(Object(values[section]))))
  for (const section of ['scripts', 'dependencies', 'devDependencies'] as const) {
    const known = section === 'scripts' ? new Set(Object.keys(Object(values.scripts))) : names
    const missing = Object.entries(own[section]).filter(([name]) => !known.has(name))
    if (missing.length === 0) continue
    values = { ...values, [section]: { ...Object(values[section]), ...Object.fromEntries(missing) } }
    added.push(...missing.map(([name]) => `${section}.${name}`))
  }
  if (added.length > 0) writeFileSync('package.json', toJson(values))
  console.log(`  package.json: ${added.length > 0 ? `added ${added.join(', ')}` : 'has all that it needs'}`)
  return { scripts: Object(values.scripts), isComplete: !added.some((name) => !name.startsWith('scripts.')) }
}

const sections = ['dependencies', 'devDependencies']

function write(path: string, text: string): void {
  if (existsSync(path)) {
    console.log(`  ${path}: is there already, left as it is`)
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`  ${path}: written`)
}

/** Adds lines to a file. Only the owner may read a new file with secrets. */
function append(path: string, lines: string[]): void {
  if (lines.length === 0) {
    console.log(`  ${path}: has all that it needs`)
    return
  }
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const joint = before === '' || before.endsWith('\n') ? '' : '\n'
  appendFileSync(path, `${joint}${lines.join('\n')}\n`, { mode: path === '.dev.vars' ? 0o600 : 0o666 })
  const names = lines.map((line) => line.split('=')[0]).join(', ')
  console.log(`  ${path}: ${before === '' ? 'written' : 'added'} ${names}`)
}
