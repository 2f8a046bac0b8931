import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { knownOptions } from '../configuration/options.ts'
import { appPaths } from '../http/pages/app-paths.generated.ts'
import { claimScopes } from '../identity/model/claim-scopes.ts'
import { errorSentences } from '../kit/error-sentences.ts'
import { root } from '../scripts/tools.ts'
import { readContracts } from '../testing/contracts.ts'
import { errorGuide } from '../testing/error-guide.ts'
import { settingNames } from '../testing/setting-names.ts'
import { codeBlocks } from './code-blocks.ts'

const sources = ['worker/guides/*.md', 'worker/skills/*/SKILL.md']
const pages = ['README.md', ...globSync([...sources, '.github/*.md'], { cwd: root })].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}))

/** The inline code of a page. */
const inlineCode = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)

const optionNames = new Set<string>(knownOptions.map(({ name }) => name))

/** A provider's scopes, which look like settings. */
const scopesOfTiktok = /^user\.info\./

describe.each(pages)('$file', ({ file, text }) => {
  it('names existing settings', () => {
    const named = inlineCode(text)
      .map((code) => /^([A-Za-z]+)\.([A-Za-z.]+)/.exec(code))
      .filter((found) => found !== null && optionNames.has(found[1]!) && !scopesOfTiktok.test(found[0]))
      .map((found) => found![0])
    // A setting can contain names of the product: `mail.templates.magicLink`.
    const known = (name: string) => settingNames.has(name) || settingNames.has(name.split('.').slice(0, -1).join('.'))
    expect(named.filter((name) => !known(name))).toEqual([])
  })

  it('names existing files and pages', () => {
    const files = inlineCode(text).filter((code) => /^(worker|client|migrations)\/[\w./-]+(\.\w+|\/)$/.test(code))
    expect(files.filter((name) => !existsSync(join(root, name)))).toEqual([])
    const links = [...text.matchAll(/\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([])
  })

  it('names existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

const endpoints: string[] = (await readContracts()).flatMap(({ contract }) =>
  Object.values(contract).map(({ path }) => path),
)
const errorCodes = new Set([...(await errorGuide()).matchAll(/^### (\S+)$/gm)].map(([, code]) => code!))

/** The operations of gatehouse-auth/testing. */
const testingPaths = [
  ...readFileSync(join(root, 'worker/rpc/testing.ts'), 'utf8').matchAll(/^ {2}(?:async )?(\w+)\(_?scope/gm),
].map(([, name]) => `/dev/testing/${name}`)

/** The guides to single tasks. */
const tasks = [
  ...[
    'admin',
    'ai-tools',
    'api-keys',
    'billing',
    'email-and-password',
    'environments',
    'generic-oauth',
    'limits-and-cost',
  ],
  ...['magic-links-and-codes', 'oauth-client', 'organizations', 'passkeys', 'phone', 'roles-and-permissions'],
  ...['social-sign-in', 'testing', 'two-factor', 'upgrade', 'webhooks', 'quick-start'],
]

const isTask = (file: string) => file.endsWith('/SKILL.md') || tasks.some((task) => file.endsWith(`/${task}.md`))

describe.each(pages.filter(({ file }) => isTask(file)))('$file', ({ text }) => {
  it('has a goal, steps and a result', () => {
    // The tests of skills check their front matter.
    if (!text.startsWith('---')) expect(text).toMatch(/^# .+\n\nGoal: /)
    expect(text).toMatch(/^1\. /m)
    expect(text).toMatch(/^3\. /m)
  })

  it('names existing endpoints, screens and error codes', () => {
    const known = new Set([
      ...endpoints,
      ...appPaths,
      '/dev/mailbox',
      '/.well-known/openid-configuration',
      ...testingPaths,
    ])
    const paths = inlineCode(text)
      .map((code) => /^(?:(?:GET|POST) )?(\/[\w./-]+)(?:\?.*)?$/.exec(code)?.[1]?.replace(/^\/api\/auth(?=\/)/, ''))
      .filter((path) => path !== undefined && !path.startsWith('/callback/'))
    expect(paths.filter((path) => !known.has(path!))).toEqual([])
    const codes = inlineCode(text).filter((code) => /^[A-Z]{3,}(?:_[A-Z*]+)+$/.test(code))
    const variables =
      /^(?:BASE_URL|CLIENT_ID|CLIENT_SECRET|(?:TWILIO|GITHUB|GATEHOUSE|APPLE|BETTER_AUTH|TWITTER|TIKTOK|POLAR)_\w+)$/
    expect(codes.filter((code) => !errorCodes.has(code) && !variables.test(code))).toEqual([])
    const redirects = [...text.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) => inlineCode(cell!))
    const sentences = JSON.stringify(errorSentences)
    const oauth = new Set([
      'scope',
      'prompt',
      'max_age',
      'acr_values',
      'resource',
      'claims',
      'request',
      'response_mode',
      'claims',
      'request',
      ...claimScopes,
      'invalid_grant',
      'owner',
      'admin',
      'full',
    ])
    const isProvider = (code: string) => text.includes('## Consoles') && !code.includes('_')
    expect(
      redirects.filter((code) => !sentences.includes(`"${code}"`) && !oauth.has(code) && !isProvider(code)),
    ).toEqual([])
  })

  it('calls existing methods of the clients', () => {
    const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const code = [...text.matchAll(/```js[^\n]*\n([\s\S]*?)```|`(auth\.[^`]+)`/g)].map(
      ([, block, inline]) => block ?? inline,
    )
    const calls = code.flatMap((block) => [...block!.matchAll(/\b(?:auth|own)\.([\w.]+)\(/g)].map(([, call]) => call!))
    // These methods of the client's plug-ins make several requests.
    const composed = ['passkey.addPasskey', 'signIn.passkey', 'forgetPassword']
    const path = (call: string) => `/${call.split('.').map(kebab).join('/')}`
    expect(calls.filter((call) => !composed.includes(call) && !endpoints.includes(path(call)))).toEqual([])
  })

  it('links to existing sections', () => {
    const slug = (title: string) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .trim()
        .replaceAll(' ', '-')
    const links = [...text.matchAll(/\]\(([\w-]*\.md)?#([\w-]+)\)/g)]
    const missing = links.filter(([, file, section]) => {
      const target = file ? readFileSync(join(import.meta.dirname, file), 'utf8') : text
      return ![...target.matchAll(/^#+ (.+)$/gm)].some(([, title]) => slug(title!) === section)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})

it('every guide is in the list of guides', () => {
  const list = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const files = globSync('*.md', { cwd: import.meta.dirname }).filter((file) => file !== 'README.md')
  expect(files.filter((file) => !list.includes(`](${file})`))).toEqual([])
})

describe('printed code', () => {
  it('resolves by each name that Vite uses', () => {
    const { resolveId, load } = codeBlocks()
    const here = join(import.meta.dirname, 'operate.test.ts')
    const id = resolveId('./operate.md#1.ts', here)!
    const below = '/worker/guides/operate.md.block-1.ts'
    expect([resolveId('./operate.md#1.ts', '/worker/guides/operate.test.ts'), resolveId(below, undefined)]).toEqual([
      id,
      id,
    ])
    expect(load(below)).toBe(load(id))
    expect(load(id)).toContain('redeliverAll')
  })
})

/** The number of items per section of the ASVS 5.0, chapters V2, V3 and V6 to V14. */
const sections = {
  ...{ '2.1': 3, '2.2': 3, '2.3': 5, '2.4': 2, '3.1': 1, '3.2': 3, '3.3': 5, '3.4': 8, '3.5': 8, '3.6': 1, '3.7': 5 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 8, '6.4': 6, '6.5': 8, '6.6': 4, '6.7': 2, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2, '8.1': 4, '8.2': 4, '8.3': 3, '8.4': 2 },
  ...{ '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 3, '10.3': 5, '10.4': 16, '10.5': 5, '10.6': 2, '10.7': 3 },
  ...{ '11.1': 4, '11.2': 5, '11.3': 5, '11.4': 4, '11.5': 2, '11.6': 2, '11.7': 2, '12.1': 5, '12.2': 2, '12.3': 5 },
  ...{ '13.1': 4, '13.2': 6, '13.3': 4, '13.4': 7, '14.1': 2, '14.2': 8, '14.3': 3 },
}

describe('security.md', () => {
  it('answers every item of the ASVS chapters once, with a state', () => {
    const text = readFileSync(join(root, 'worker/guides/security.md'), 'utf8')
    const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \|$/gm)]
    const items = Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, n) => `${section}.${n + 1}`),
    )
    expect(rows.map(([, item]) => item)).toEqual(items)
    for (const [, , state] of rows) expect(['met', 'decided', 'product', 'n/a']).toContain(state)
  })
})
