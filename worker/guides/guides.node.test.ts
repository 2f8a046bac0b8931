import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { knownOptions } from '../configuration/options.ts'
import { root } from '../scripts/tools.ts'
import { settingNames } from '../testing/setting-names.ts'
import { codeBlocks } from './code-blocks.ts'

const pages = ['README.md', ...globSync('worker/guides/*.md', { cwd: root })].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}))

/** The inline code of a page. */
const inlineCode = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)

const optionNames = new Set<string>(knownOptions.map(({ name }) => name))

describe.each(pages)('$file', ({ file, text }) => {
  it('names existing settings', () => {
    const named = inlineCode(text)
      .map((code) => /^([A-Za-z]+)\.([A-Za-z.]+)/.exec(code))
      .filter((found) => found !== null && optionNames.has(found[1]!))
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
