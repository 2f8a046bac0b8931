import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { defineCommand } from './command.ts'
import { addProduct, productFiles, productFolder, productOrigin, templateNames } from './product-template.ts'
import { exportedClasses, packageFolder, templateToml, tomlToJsonc } from './template.ts'

/** A TypeScript string literal on one line. */
const quoted = (text: string): string => `'${text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/['\\]/g, '\\$&')}'`

/** @param origins of products, which the pages may lead back to */
export const entry = (appName: string, origins: readonly string[] = []) => `import { gatehouse } from 'gatehouse-auth'

const { handler, ServerApi } = gatehouse({
  appName: ${quoted(appName)},
  emailAndPassword: { commonPasswords: 'refuse' },${origins.map((one) => `\n  trustedOrigins: [${quoted(one)}],`).join('')}
})

export default handler
export { ServerApi }
export { ${exportedClasses().join(', ')} } from 'gatehouse-auth'
`

/** A Worker name from the name of the product: lower case, digits, dashes. */
const workerName = (product: string) =>
  product
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'accounts'

const manifest = (name: string, version: string) => ({
  name,
  private: true,
  type: 'module',
  dependencies: { 'gatehouse-auth': version },
  devDependencies: { wrangler: '^4' },
})

const ignored = ['node_modules/', '.wrangler/', '.dev.vars']

export const command = defineCommand({
  about: `Writes a deployment into this folder. It overwrites nothing and prints a summary. The name of the product is for mails
    and screens (Acme).`,
  args: '[<name>]',
  options: {
    config: {
      type: 'string',
      default: 'toml',
      oneOf: ['toml', 'jsonc'],
      value: '<format>',
      help: 'the format of the configuration file of wrangler',
    },
    template: {
      type: 'string',
      oneOf: templateNames(),
      value: '<framework>',
      help: `also writes a product with a public and a protected page into ${productFolder}/`,
    },
  },
  async run({ config, template }, [appName = 'Acme']) {
    return writeDeployment(appName, config, template)
  },
})

/** Writes what a deployment needs into the current folder, and overwrites nothing. */
function writeDeployment(appName: string, format: string, template: string | undefined): number {
  const name = workerName(appName)
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }

  write('src/index.ts', entry(appName, template ? [productOrigin] : []))
  const configs = ['wrangler.toml', 'wrangler.jsonc', 'wrangler.json']
  const config = configs.find((file) => existsSync(file)) ?? `wrangler.${format}`
  write(config, config.endsWith('.toml') ? templateToml(name) : tomlToJsonc(templateToml(name)))
  if (template) writeProduct(template, name, manifest(name, version))
  else write('package.json', toJson(manifest(name, version)))
  const variables = existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')) : {}
  append('.dev.vars', [
    ...(variables.GATEHOUSE_SECRET ? [] : [`GATEHOUSE_SECRET=${randomBytes(32).toString('base64url')}`]),
    ...(variables.ENVIRONMENT ? [] : ['ENVIRONMENT=development']),
    // Empty: development is at the address that the browser requests, on any port.
    ...('BASE_URL' in variables ? [] : ['BASE_URL=']),
  ])
  const present = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8').split(/\r?\n/) : []
  append(
    '.gitignore',
    ignored.filter((line) => !present.includes(line)),
  )
  if (template) {
    console.log(`
Next:
  npm install
  npx gatehouse dev

Then open ${productOrigin}; mails are at http://localhost:8787/dev/mailbox.`)
    return 0
  }
  console.log(`
Next:${existsSync('node_modules/gatehouse-auth') ? '' : '\n  npm install'}
  npx wrangler d1 migrations apply DB --local
  npx wrangler dev

Then sign up at http://localhost:8787/sign-up; mails are at http://localhost:8787/dev/mailbox.`)
  return 0
}

const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** Writes a product, and makes it a workspace of the folder, so that one installation serves both. */
function writeProduct(template: string, name: string, own: Record<string, unknown>): void {
  for (const [path, text] of productFiles(template, name)) write(path, text)
  const before = existsSync('package.json') ? readFileSync('package.json', 'utf8') : null
  const values = before === null ? own : (JSON.parse(before) as Record<string, unknown>)
  const added = addProduct(values)
  if (before === null) {
    write('package.json', toJson(values))
    return
  }
  const dependencies = { ...Object(values.dependencies), ...Object(values.devDependencies) }
  if (!('wrangler' in dependencies)) {
    values.devDependencies = { ...Object(values.devDependencies), ...Object(own.devDependencies) }
    added.push('devDependencies.wrangler')
  }
  if (added.length > 0) writeFileSync('package.json', toJson(values))
  console.log(`  package.json: ${added.length > 0 ? `added ${added.join(', ')}` : 'has all that it needs'}`)
}

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
