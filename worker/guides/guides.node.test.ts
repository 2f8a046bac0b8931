import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { knownOptions } from '../options.ts'
import { root } from '../scripts/tools.ts'
import { settingNames } from '../testing/setting-names.ts'
import { codeBlocks } from './code-blocks.ts'

const pages = ['README.md', ...globSync('worker/guides/*.md', { cwd: root })].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}))

/** What is printed as code between words. */
const inlineCode = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)

const optionNames = new Set<string>(knownOptions.map(({ name }) => name))

describe.each(pages)('$file', ({ file, text }) => {
  it('names settings that there are', () => {
    const named = inlineCode(text)
      .map((code) => /^([A-Za-z]+)\.([A-Za-z.]+)/.exec(code))
      .filter((found) => found !== null && optionNames.has(found[1]!))
      .map((found) => found![0])
    // What a product names itself stands below such a setting: `mail.templates.magicLink`.
    const known = (name: string) => settingNames.has(name) || settingNames.has(name.split('.').slice(0, -1).join('.'))
    expect(named.filter((name) => !known(name))).toEqual([])
  })

  it('names files and pages that there are', () => {
    const files = inlineCode(text).filter((code) => /^(worker|client|migrations)\/[\w./-]+\.\w+$/.test(code))
    expect(files.filter((name) => !existsSync(join(root, name)))).toEqual([])
    const links = [...text.matchAll(/\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([])
  })

  it('names scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

describe('printed code', () => {
  it('is found by each name that Vite has for it', () => {
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
