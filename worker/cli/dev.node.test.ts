import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { execute } from './command.ts'
import { command } from './dev.ts'

/** In place of wrangler: notes its arguments. `dev` ends with the code 3 when the product has started. */
const wrangler = `import { appendFileSync, existsSync } from 'node:fs'
const args = process.argv.slice(2)
appendFileSync('calls.txt', args.join(' ') + '\\n')
if (args[0] === 'dev') setInterval(() => existsSync('app/started.txt') && process.exit(3), 20)
`

/** Runs until it is stopped. */
const product = `import { writeFileSync } from 'node:fs'
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
  write('node_modules/wrangler/package.json', '{"name":"wrangler","type":"module","bin":{"wrangler":"bin.js"}}')
  write('node_modules/wrangler/bin.js', wrangler)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('applies the migrations, starts the deployment and its product, and ends with the first of them', async () => {
  write('package.json', '{"workspaces":["app"]}')
  write('app/package.json', '{"name":"app","type":"module","scripts":{"dev":"node dev.js"}}')
  write('app/dev.js', product)
  expect(await execute(command, 'gatehouse dev', ['--port', '8790'])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8').trim().split('\n')).toEqual([
    'd1 migrations apply DB --local',
    'dev --port 8790',
  ])
  expect(readFileSync('app/started.txt', 'utf8')).toBe('http://localhost:8790')
})

it('without a product, starts the deployment alone', async () => {
  write('app/started.txt', '')
  expect(await execute(command, 'gatehouse dev', [])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8')).toContain('dev --port 8787')
})
