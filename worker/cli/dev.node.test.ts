import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { freePort } from '../testing/ports.ts'
import { execute } from './command.ts'
import { command } from './dev.ts'

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
  write('node_modules/wrangler/package.json', '{"name":"wrangler","type":"module","bin":{"wrangler":"bin.js"}}')
  write('node_modules/wrangler/bin.js', wrangler)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('applies the migrations, starts the deployment, then its product, and ends with the first of them', async () => {
  const port = String(await freePort())
  write('package.json', '{"workspaces":["app"]}')
  write('app/package.json', '{"name":"app","type":"module","scripts":{"dev":"node dev.js"}}')
  write('app/dev.js', product)
  expect(await execute(command, 'gatehouse-auth dev', ['--port', port])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8').trim().split('\n')).toEqual([
    'd1 migrations apply DB --local',
    `dev --port ${port}`,
    'HEAD /api/auth/ok',
    'product',
  ])
  expect(readFileSync('app/started.txt', 'utf8')).toBe(`http://localhost:${port}`)
})

it('ends with the deployment if that does not start', async () => {
  write('package.json', '{"workspaces":["app"]}')
  write('app/started.txt', '')
  expect(await execute(command, 'gatehouse-auth dev', ['--port', String(await freePort())])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8')).not.toContain('product')
})

it('without a product, starts the deployment alone', async () => {
  write('app/started.txt', '')
  const port = String(await freePort())
  expect(await execute(command, 'gatehouse-auth dev', ['--port', port])).toBe(3)
  expect(readFileSync('calls.txt', 'utf8')).toContain(`dev --port ${port}`)
})
