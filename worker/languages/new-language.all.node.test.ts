import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'

/** The repository with one more language: the folder and the line, and `npm run generate`. */
const tree = mkdtempSync(join(tmpdir(), 'gatehouse-language-'))
afterAll(() => rmSync(tree, { recursive: true }))

const path = (name: string) => join(tree, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const readJson = (name: string) => JSON.parse(read(name)) as Record<string, Record<string, string>>
const run = (tool: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync('npx', [tool, ...words], { cwd: tree, encoding: 'utf8' })
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: expect.anything() })
}

beforeAll(async () => {
  const left = /(^|\/)(node_modules|\.wrangler|e2e|bench|skills)$|\.(test|e2e)\.ts$/
  for (const name of ['worker', 'client']) {
    cpSync(join(root, name), path(name), { recursive: true, filter: (file) => !left.test(file) })
  }
  for (const name of ['package.json', 'tsconfig.json', 'wrangler.toml']) cpSync(join(root, name), path(name))
  symlinkSync(join(root, 'node_modules'), path('node_modules'))
  cpSync(path('worker/languages/de'), path('worker/languages/nl'), { recursive: true })
  const list = 'worker/kit/language.ts'
  writeFileSync(path(list), read(list).replace("  en: 'English',\n", "  en: 'English',\n  nl: 'Nederlands',\n"))
  const { languageFilesFile } = (await import(path('worker/scripts/generated-lists.ts'))) as {
    languageFilesFile(): string
  }
  writeFileSync(path('worker/languages/files.generated.ts'), languageFilesFile())
})

it('a folder and a line are what a language needs: mails, text messages and pages', async () => {
  const { loadLanguage, textsIn } = (await import(path('worker/languages/texts.ts'))) as typeof import('./texts.ts')
  await loadLanguage('nl')
  const german = { ...readJson('worker/languages/de/mails.json'), ...readJson('worker/languages/de/pages.json') }
  for (const [name, texts] of Object.entries(german)) {
    const english = Object.fromEntries(Object.keys(texts).map((key) => [key, 'English']))
    expect({ name, texts: textsIn({ name, english }, 'nl', {}) }).toEqual({ name, texts })
  }
  expect(Object.keys(german)).toEqual(expect.arrayContaining(['mail/layout', 'text/confirmationCode', 'page/error']))
})

it('it is chosen, and is a value of each type of languages', async () => {
  const { languageOf } = (await import(path('worker/kit/language.ts'))) as typeof import('../kit/language.ts')
  expect(languageOf('nl-NL,en;q=0.5')).toBe('nl')
  const types = [
    "import type { CompleteLanguage } from '../../../worker/kit/language.ts'",
    "import type { ComponentLanguage } from './shared.ts'",
    "export const known: CompleteLanguage = 'nl'",
    "export const listed: Extract<ComponentLanguage, 'nl'> = known",
  ]
  writeFileSync(path('client/sdk/components/nl.ts'), types.join('\n'))
  run('tsc', '-p', 'client', '--singleThreaded')
}, 600_000)

it('the app, the components and the embed script load it by parts', () => {
  run('vite', 'build', 'client', '--logLevel', 'error')
  const page = read('dist/client/index.html')
  const [, scripts] = /<script id="scripts" type="application\/json">(.*?)<\/script>/s.exec(page)!
  const { languages } = JSON.parse(scripts!) as { languages: Record<string, string[]> }
  expect(languages.nl).toHaveLength(1)
  expect(languages['nl member']).toHaveLength(1)
  const textOf = (files: string[]) => files.map((file) => read(`dist/client/${file}`)).join()
  const [visitor, member] = [languages.nl!, languages['nl member']!].map(textOf)
  const german = {
    visitor: readJson('worker/languages/de/visitor.json'),
    member: readJson('worker/languages/de/member.json'),
  }
  expect([visitor, member].map((text) => text!.includes(german.member.apiKey!.title!))).toEqual([false, true])
  expect(visitor).toContain(german.visitor.signIn!.title)
  expect(read('dist/client/.vite/prerender.js')).toContain(`"/${languages.nl![0]}"`)
  const code = readdirSync(path('dist/client/embed'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => read(`dist/client/embed/${file}`))
  expect(code.join()).toContain(`/${languages.nl![0]}`)
})

it('the Worker loads it as a part of its own', async () => {
  const { bundleWorker } = (await import(path('worker/scripts/bundle.ts'))) as typeof import('../scripts/bundle.ts')
  const { files } = await bundleWorker({ entry: 'worker/gatehouse.ts', dir: null, minify: false })
  expect(files.map(({ file }) => file)).toContain('c/language-nl.js')
})
