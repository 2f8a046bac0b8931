import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../scripts/bundle.ts'
import { root } from '../scripts/tools.ts'

/** The bundled command, with the official client, in a product's folder with secrets. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mcp-'))
const secret = 'the-secret-of-this-product-0123456789'
const built = join(root, 'dist/mcp-test')
const client = new Client({ name: 'test', version: '1.0.0' })

beforeAll(async () => {
  writeFileSync(join(folder, '.dev.vars'), `GATEHOUSE_SECRET=${secret}\n`)
  mkdirSync(join(folder, '.wrangler/gatehouse'), { recursive: true })
  const reported = { requestId: 'a-1', method: 'POST', path: '/sign-out', status: 403, at: '2026-11-29T12:00:00.000Z' }
  const error = { ...reported, code: 'INVALID_ORIGIN', message: 'Invalid origin', hint: 'Add it' }
  writeFileSync(join(folder, '.wrangler/gatehouse/errors.ndjson'), `${JSON.stringify(error)}\n`)
  await bundle({ gatehouse: 'worker/cli/gatehouse.ts' }, 'node', { dir: built })
  // The permission model of Node proves that no file outside of the package is read.
  const permissions = ['--permission', `--allow-fs-read=${root}/*`, `--allow-fs-read=${join(folder, '.wrangler')}/*`]
  const args = [...permissions, join(built, 'gatehouse.js'), 'mcp']
  const env = { PATH: process.env.PATH!, GATEHOUSE_SECRET: secret, RATE_LIMIT: 'off', CONFIG: '{bad' }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: folder, env, stderr: 'inherit' }),
  )
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
  rmSync(built, { recursive: true, force: true })
})

const call = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: given })
  return (content as { text: string }[])[0]!.text
}

it('has the version of the package, and tools that only read', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(client.getServerVersion()).toEqual({ name: 'gatehouse', version })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'list_guides',
    'search_guides',
    'read_guide',
    'plan',
    'validate_configuration',
    'explain_error',
  ])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(tools[1]!.inputSchema).toMatchObject({
    type: 'object',
    properties: { query: { type: 'string', maxLength: 200 }, limit: { type: 'integer', default: 8 } },
    required: ['query'],
  })
})

it('reports wrong arguments to the model, and a wrong call to the client', async () => {
  const wrong = await client.callTool({ name: 'search_guides', arguments: { query: '', limit: 'many' } })
  expect(wrong).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/search_guides: [\s\S]*query[\s\S]*limit/) }],
  })
})

describe('a plan', () => {
  it.each([
    [
      'sign in with a passkey',
      'Passkeys (read_guide passkeys)',
      /^1\. Decide on the domain before the first user\.$/m,
      '- passkey.rpID: ',
    ],
    ['send webhooks when a user is deleted', '(read_guide webhooks)', /^1\. /m, 'Settings of gatehouse({ … })'],
  ])('for "%s" has the steps of a guide, its settings and the checks', async (wish, guide, step, setting) => {
    const plan = await call('plan', { wish })
    expect(plan).toContain(guide)
    expect(plan).toMatch(step)
    expect(plan).toContain(setting)
    expect(plan).toMatch(/Then: validate_configuration [^\n]+doctor/)
  })

  it('for what no guide is about says so', async () => {
    expect(await call('plan', { wish: 'xylophone' })).toContain('No guide is about xylophone')
  })
})

describe('guides', () => {
  it('are listed with their goals, found by words and read', async () => {
    const list = (await call('list_guides')).split('\n')
    expect(list).toContain('passkeys: Passkeys. the keys of devices')
    // Each with a description, which is a text without links.
    expect(list.filter((line) => !/^[\w-]+: [^\n]+\. (?!undefined)[^[\]]+$/.test(line))).toEqual([])
    expect(list.length).toBeGreaterThan(30)
    const found = await call('search_guides', { query: 'magic link' })
    expect(found).toMatch(/^magic-links-and-codes > /)
    expect((await call('search_guides', { query: 'webhook', limit: 2 })).split('\n\n')).toHaveLength(2)
    expect(await call('search_guides', { query: 'xylophone' })).toContain('No section is about')
    expect(await call('read_guide', { name: 'install' })).toBe(
      readFileSync(join(root, 'worker/guides/install.md'), 'utf8'),
    )
    const section = await call('read_guide', { name: 'testing', section: 'in a browser' })
    expect(section).toMatch(/^## In a browser\n/)
    expect(section).not.toContain('## Options')
  })

  it('a wrong name gets the right one, and a path is a wrong name', async () => {
    expect(await call('read_guide', { name: 'webhoks' })).toContain('did you mean webhooks?')
    expect(await call('read_guide', { name: '../../package' })).toContain('Unknown guide')
    expect(await call('read_guide', { name: 'testing', section: 'Nothing' })).toContain('Sections: Test your product;')
  })
})

describe('validate_configuration', () => {
  it('has the errors of the start, with suggestions', async () => {
    const validate = (configuration: object | string, more = {}) =>
      call('validate_configuration', { configuration, ...more })
    const mail = { transport: 'resend', from: { name: 'Acme', address: 'hello@example.com' } }
    expect(await validate({ appName: 'Acme', mail, text: { transport: 'twilio' } })).toContain('is valid in production')
    expect(await validate({}, { environment: 'development' })).toContain('is valid in development')
    expect(await validate({})).toContain('mail.transport: the local mailbox is for development')
    expect(await validate({ sesion: {}, mail })).toContain('sesion: unknown setting; did you mean session?')
    expect(await validate({ session: { expiresIn: 'long' }, mail })).toContain('session.expiresIn: must be a')
    expect(await validate("gatehouse({ appName: 'Acme' })")).toContain('is not a JSON object. Pass the object')
    expect(await validate('["Acme"]')).toContain('is not a JSON object. Pass the object')
    expect(await validate(JSON.stringify({ appName: 'Acme', mail }))).toContain('is valid in production')
  })
})

it('explain_error explains a code, and suggests one', async () => {
  expect(await call('explain_error', { code: 'invalid_origin' })).toMatch(/^### INVALID_ORIGIN\n/)
  expect(await call('explain_error', { code: 'INVALID_ORIGN' })).toContain('did you mean INVALID_ORIGIN?')
  expect(await call('explain_error', { code: 'a-2' })).toContain('No error of request a-2')
  expect(await call('explain_error', { code: 'a-1' })).toMatch(
    /^POST \/sign-out: 403 INVALID_ORIGIN [\s\S]+What to do here: Add it[\s\S]+### INVALID_ORIGIN/,
  )
})

it('never sees a secret', async () => {
  const all = [
    await call('list_guides'),
    await call('search_guides', { query: secret }),
    await call('read_guide', { name: '.dev.vars' }),
    await call('read_guide', { name: join(folder, '.dev.vars') }),
    await call('validate_configuration', { configuration: {} }),
    await call('explain_error', { code: 'GATEHOUSE_SECRET' }),
  ]
  // The query itself is in its answer.
  all[1] = all[1]!.replace(secret, '')
  expect(all.join('\n')).not.toContain(secret)
})
