import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { errorLog, keepErrorLog, keptErrors, readErrorLog } from './error-log.ts'
import { command } from './explain.ts'

const before = process.cwd()
let folder: string
let log: Awaited<ReturnType<typeof keepErrorLog>>
let printed: string
let errors: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-explain-'))
  process.chdir(folder)
  ;[printed, errors] = ['', '']
  vi.spyOn(console, 'log').mockImplementation((text) => void (printed += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text) => void (errors += `${text}\n`))
  log = await keepErrorLog()
})
afterEach(() => {
  log.stop()
  vi.restoreAllMocks()
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})

const error = (requestId: string, more = {}) => ({
  ...{ requestId, at: '2026-11-29T12:00:00.000Z', method: 'POST', path: '/api/auth/sign-up/email', status: 403 },
  ...{ code: 'INVALID_ORIGIN', message: 'Invalid origin', ...more },
})
const report = (body: unknown, url = log.url) =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

it('explains an error by its request id: what failed, why here, and what the code means', async () => {
  await report(error('a-1', { hint: 'Add http://localhost:3000 to trustedOrigins of the configuration.' }))
  await report(error('a-2', { code: 'acme_refused', message: 'No', reason: 'the hook threw', issues: ['email'] }))
  expect(await runCommand(command, ['a-1'])).toBe(0)
  expect(printed).toContain('POST /api/auth/sign-up/email: 403 INVALID_ORIGIN (Invalid origin), 2026-11-29')
  expect(printed).toContain('What to do here: Add http://localhost:3000 to trustedOrigins')
  expect(printed).toMatch(/^### INVALID_ORIGIN$[\s\S]+trustedOrigins/m)
  expect(statSync(errorLog).mode & 0o077).toBe(0)
})

it('without an id explains the latest one, and takes a code', async () => {
  await report(error('a-1'))
  await report(error('a-2', { code: 'acme_refused', message: 'No', reason: 'the hook threw', issues: ['email'] }))
  expect(await runCommand(command, [])).toBe(0)
  expect(printed).toContain('request a-2\nInput: ["email"]\nReason: the hook threw\n')
  expect(printed).toContain('acme_refused is a code of a protocol or of a hook of yours')
  await report(error('a-3', { code: 'VALIDATION_ERROR' }))
  expect(await runCommand(command, ['a-3'])).toBe(0)
  expect(printed).toContain('Correct the input')
  expect(await runCommand(command, ['not_found'])).toBe(0)
  expect(printed).toMatch(/^### NOT_FOUND$/m)
})

it('an unknown id is an error with the next step', async () => {
  expect(await runCommand(command, ['a-1'])).toBe(1)
  expect(errors).toContain('npx gatehouse-auth dev, then repeat the request')
  await report(error('a-1'))
  expect(await runCommand(command, ['a-9'])).toBe(1)
  expect(errors).toContain('No error of request a-9')
})

it('keeps the newest errors, of this start, and nothing that others send', async () => {
  for (let n = 0; n < 2 * keptErrors; n++) await report(error(`a-${n}`))
  expect(
    readErrorLog()!
      .map(({ requestId }) => requestId)
      .slice(0, 2),
  ).toEqual(['a-999', 'a-998'])
  expect(readErrorLog()).toHaveLength(keptErrors)
  const text = readFileSync(errorLog, 'utf8')
  expect((await report(error('b-1'), `${new URL(log.url).origin}/guessed`)).status).toBe(404)
  for (const wrong of ['{', '[]', 'null', JSON.stringify(error('b-2', { message: 'x'.repeat(30_000) }))])
    await report(wrong)
  expect(readFileSync(errorLog, 'utf8')).toBe(text)
  log.stop()
  log = await keepErrorLog()
  expect(existsSync(errorLog)).toBe(false)
})
