import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type OpenBrowser, openBrowser } from '../../client/e2e/open-browser.ts'
import { productFolder, templateNames } from '../cli/product-template.ts'
import { pack } from '../testing/consumer.ts'
import { startRegistry } from '../testing/outside/registry.ts'
import { Stranger } from '../testing/stranger.ts'
import { root } from './tools.ts'

/**
 * From README.md to a deployed dry run, for the template of each framework. The packages of these two are in this repository;
 * `npm run test:products` (STRANGER=all) takes all templates, and the packages of their frameworks from npm.
 */
const isWhole = process.env.STRANGER === 'all'
const templates = isWhole ? templateNames() : ['hono', 'express']

/** A line of README.md that begins with a command. */
function line(begin: string): string {
  const [, found] = new RegExp(`^ {4}(${begin}.*)$`, 'm').exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  if (!found) throw new Error(`README.md has no line ${begin}`)
  return found
}

const packs = mkdtempSync(join(tmpdir(), 'gatehouse-pack-'))
let tarball: string
let registry: { url: string; close(): void }
let browser: OpenBrowser
let stranger: Stranger

beforeAll(async () => {
  tarball = await pack(packs)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { scripts: _scripts, devDependencies: _own, workspaces: _folders, ...published } = manifest
  registry = await startRegistry(tarball, published, isWhole ? 'network' : 'repository')
  browser = await openBrowser()
})
afterEach(() => stranger?.leave())
afterAll(async () => {
  registry?.close()
  await browser?.close()
  rmSync(packs, { recursive: true, force: true })
})

it.each(templates)(
  '%s: init, install, types, development, sign-in, doctor, build, start, dry run',
  async (template) => {
    stranger = await Stranger.arrive(registry.url)
    const home = 'acme'
    // The first line of README.md packs the package; the last one is for a package that npm has.
    const isPublished = template === 'express'
    const [, published] = /`(npx gatehouse-auth init [^`]+)`/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!
    const first = isPublished
      ? published!.replace('npx', 'npx --yes')
      : line('npx').replace(/--package=\S+/, `--package=${tarball}`)
    expect(first).toContain('--template next')
    await stranger.type(first.replace('--template next', `--template ${template}`), home)
    // The port of the accounts is that of an option, below.
    stranger.useFreePorts(false)
    const [install, run] = line('npm install').split(' && ')
    await stranger.type(install!, home)
    await stranger.type('npm run check', home)

    const port = new URL(stranger.accounts).port
    await stranger.start(`${run} -- --port ${port}`, [`${stranger.accounts}/api/auth/ok`, stranger.product], home)
    await stranger.useProduct(browser.browser, 'ada@example.com')
    const refused = await fetch(`${stranger.accounts}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: stranger.accounts, 'content-type': 'application/json' },
      body: '{}',
    })
    const id = refused.headers.get('x-request-id')
    expect(await stranger.type(`npx gatehouse-auth explain ${id}`, home)).toMatch(
      /^POST \/sign-in\/email: 400 VALIDATION_ERROR [\s\S]+"path":"email"[\s\S]+Correct the input/m,
    )
    await stranger.stop()
    expect(await stranger.type('npm run doctor', home)).toContain('No problems')

    const app = `${home}/${productFolder}`
    const scripts = stranger.scripts(app)
    if (scripts.build) await stranger.type('npm run build', app)
    if (scripts.check) await stranger.type('npm run check', app)
    await stranger.start(
      `npx wrangler dev --port ${port} --inspector-port 0`,
      [`${stranger.accounts}/api/auth/ok`],
      home,
    )
    stranger.setVariable('GATEHOUSE_URL', stranger.accounts)
    const variable = /wrangler/.test(scripts.start!) ? ` -- --var GATEHOUSE_URL:${stranger.accounts}` : ''
    await stranger.start(`npm run start${variable}`, [stranger.product], app)
    const refusedAfter = await stranger.useProduct(browser.browser, 'grace@example.com')
    await stranger.stop()

    const uploaded = await stranger.type('npx wrangler deploy --dry-run', home)
    expect(uploaded).toContain('--dry-run: exiting now.')
    if (scripts.deploy || /wrangler/.test(scripts.start!)) {
      expect(await stranger.type('npx wrangler deploy --dry-run', app)).toContain('--dry-run: exiting now.')
    }
    process.stdout.write(`${template}: ${stranger.times.join(', ')}, ended session refused after ${refusedAfter} ms\n`)
  },
  900_000,
)
