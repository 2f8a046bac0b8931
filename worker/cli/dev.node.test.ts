import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../testing/ports.ts'
import { runCommand } from '../testing/run-command.ts'
import { command, neededLines } from './dev.ts'
import { templateToml } from './template.ts'

/**
 * In place of wrangler: notes its arguments. `dev` answers its first request with an error of the connection, as long as
 * it builds, notes the second one, and ends with the code 3 when the product has started.
 */
const wrangler = `import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
const args = process.argv.slice(2)
const note = (text) => appendFileSync('calls.txt', text + '\\n')
note(args.join(' '))
if (args[0] === 'dev') {
  let requests = 0
  createServer((request, response) => {
    if (++requests === 1) return request.socket.destroy()
    note(request.method + ' ' + request.url)
    response.end()
  }).listen(Number(args[2]))
  setInterval(() => existsSync('app/started.txt') && process.exit(3), 20)
}
`

/** Runs until it is stopped. */
const product = `import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('../calls.txt', 'product\\n')
writeFileSync('started.txt', process.env.GATEHOUSE_URL)
setInterval(() => {}, 1000)
`

let folder: string
const before = process.cwd()
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'))
  process.chdir(folder)
  vi.spyOn(console, 'log').mockImplementation(() => {})
  write(
    'node_modules/wrangler/package.json',
    '{"name":"wrangler","version":"4.100.0","type":"module","bin":{"wrangler":"bin.js"}}',
  )
  write('node_modules/wrangler/bin.js', wrangler)
  write('wrangler.toml', templateToml('acme'))
  write('src/index.ts', '')
  write('node_modules/gatehouse-auth/dist/client/index.html', '')
  write('node_modules/gatehouse-auth/dist/package/index.js', '')
  write('node_modules/gatehouse-auth/migrations/0000.sql', '')
  write('.dev.vars', `GATEHOUSE_SECRET=${'x'.repeat(40)}\nENVIRONMENT=development\n`)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('applies the migrations, starts the deployment, then its product, and ends with the first of them', async () => {
  const port = String(await freePort())
  write('package.json', '{"workspaces":["app"]}')
  write('app/package.json', '{"name":"app","type":"module","scripts":{"dev":"node dev.js"}}')
  write('app/dev.js', product)
  expect(await runCommand(command, ['--port', port])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8').trim().split('\n')).toEqual([
    'd1 migrations apply DB --local',
    expect.stringMatching(`^dev --port ${port} --var ERROR_LOG:http://127.0.0.1:\\d+/[\\w-]{24}$`),
    'HEAD /api/auth/ok',
    expect.stringMatching(/^product$|scheduled/),
    expect.stringMatching(/^product$|scheduled/),
  ])
  expect(readFileSync('app/started.txt', 'utf8')).toBe(`http://localhost:${port}`)
})

it.each([
  ['wrangler dev', true],
  ['wrangler dev --local', true],
  ['vite dev', false],
  ['wrangler dev && vite dev', false],
])('passes the address of the deployment to a product, on another port: %s', async (script, isOnWrangler) => {
  const port = String(await freePort())
  write('package.json', '{"workspaces":["app"]}')
  write('app/package.json', JSON.stringify({ name: 'app', scripts: { dev: script } }))
  // In place of npm. It runs until it is stopped.
  const said = '[process.env.GATEHOUSE_URL, ...process.argv.slice(2)].join(" ")'
  const npm = `#!/usr/bin/env node\nrequire('fs').writeFileSync('app/started.txt', ${said})\nsetInterval(() => {}, 1000)\n`
  write('bin/npm', npm)
  chmodSync(join(folder, 'bin/npm'), 0o755)
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
  expect(await runCommand(command, ['--port', port])).toBe(3)
  const accounts = `http://localhost:${port}`
  const more = isOnWrangler ? ` -- --var GATEHOUSE_URL:${accounts}` : ''
  expect(readFileSync('app/started.txt', 'utf8')).toBe(`${accounts} run dev --workspace app${more}`)
})

it('ends with the deployment if that does not start', async () => {
  write('package.json', '{"workspaces":["app"]}')
  write('app/started.txt', '')
  expect(await runCommand(command, ['--port', String(await freePort())])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8')).not.toContain('product')
})

it('prints what wrangler does, without the modules of the package and the cron trigger that it runs itself', () => {
  const said = [
    'Attaching additional modules:',
    '┌──────────┬──────┬─────────┐',
    '│ Name     │ Type │ Size    │',
    '└──────────┴──────┴─────────┘',
    '⎔ Starting local server...',
    '\u001B[33m▲ WARNING\u001B[0m Scheduled Workers are not automatically triggered during local development.',
    '',
    '  To manually trigger a scheduled event, run:',
    '    curl "http://localhost:8787/cdn-cgi/local/scheduled"',
    '  For more details, see https://developers.cloudflare.com/workers/configuration/cron-triggers/',
    '[wrangler:info] Ready on http://localhost:8787',
    'curl "is a line of the product"',
    '│ a table of the product │',
  ]
  expect(said.filter(neededLines())).toEqual([said[4], said[10], said[11], said[12]])
})

it('says what a port is, before it starts anything', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await runCommand(command, ['--port', '80x'])).toBe(1)
  expect(errors.mock.calls[0]![0]).toContain('It must be a whole number from 1 to 65535.')
  expect(existsSync('calls.txt')).toBe(false)
})

describe('a problem in the files', () => {
  const printed: string[] = []
  beforeEach(() => {
    printed.length = 0
    vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)))
  })
  const said = (text: string) => vi.waitFor(() => expect(printed.join('\n')).toContain(text), { timeout: 50_000 })

  it.each([
    ['binding = "KV"', 'binding = "OTHER"', 'problem  KV: is missing; bind a KV namespace'],
    ['binding = "KV"', 'binding = ', 'problem  configuration file: wrangler.toml:'],
  ])('%s -> %s: is printed, and the server starts when it is corrected', async (right, wrong, line) => {
    // As wrangler: it ends at once while the file is wrong.
    const check = `if (!readFileSync('wrangler.toml', 'utf8').includes('${right}')) process.exit(1)\n`
    write('node_modules/wrangler/bin.js', `import { readFileSync } from 'node:fs'\n${check}${wrangler}`)
    const toml = readFileSync('wrangler.toml', 'utf8')
    write('wrangler.toml', toml.replace(right, wrong))
    write('app/started.txt', '')
    const ended = runCommand(command, ['--port', String(await freePort())])
    await said(line)
    await said('The server starts again when the files have changed.')
    expect(existsSync('calls.txt')).toBe(false)
    write('wrangler.toml', toml)
    expect(await ended).toBe(3)
    expect(readFileSync('calls.txt', 'utf8')).toContain('d1 migrations apply DB --local\ndev --port')
  })

  it('is printed after a change while the server runs', async () => {
    const ended = runCommand(command, ['--port', String(await freePort())])
    await vi.waitFor(() => expect(readFileSync('calls.txt', 'utf8')).toContain('dev --port'), { timeout: 50_000 })
    expect(printed).toEqual([])
    const toml = readFileSync('wrangler.toml', 'utf8')
    write('wrangler.toml', toml.replace('binding = "KV"', 'binding = "OTHER"'))
    await said('problem  KV: is missing; bind a KV namespace')
    write('wrangler.toml', toml)
    await vi.waitFor(() => expect(readFileSync('calls.txt', 'utf8')).toContain('scheduled'), { timeout: 50_000 })
    write('app/started.txt', '')
    expect([1, 3]).toContain(await ended)
  })
})

it('a folder without a deployment is an error', async () => {
  rmSync('wrangler.toml')
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await runCommand(command, [])).toBe(1)
  expect(error.mock.calls.join('\n')).toContain('npx gatehouse-auth init')
})

it('without a product, starts the deployment alone', async () => {
  write('app/started.txt', '')
  const port = String(await freePort())
  expect(await runCommand(command, ['--port', port])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8')).toContain(`dev --port ${port}`)
})
