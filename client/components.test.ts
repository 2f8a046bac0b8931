import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, describe, expect, it } from 'vitest'

// What a page loads for a component in addition to React: the compressed chunks of the entry and of the component with
// their static imports.

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(root, 'dist/components-'))
afterAll(() => rmSync(folder, { recursive: true }))
const options = [
  '--config',
  join(import.meta.dirname, 'components.config.ts'),
  '--outDir',
  folder,
  '--logLevel',
  'error',
]
execFileSync('npx', ['vite', 'build', import.meta.dirname, ...options], {
  env: { ...process.env, NODE_ENV: 'production' },
})
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/embed.json'), 'utf8'))
const source = (file: string) => readFileSync(join(folder, file), 'utf8')

const entry = 'sdk/components/package.ts'
const chunkOf = (name: string) => `sdk/components/${name}.tsx`

function closure(entries: string[]): string[] {
  return [...chunksOf(entries)].map((name) => manifest[name]!.file)
}

function chunksOf(entries: string[]): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    manifest[name]!.imports?.forEach(visit)
  }
  entries.forEach(visit)
  return found
}

const kibibytes = (files: string[]) => files.reduce((sum, file) => sum + gzipSync(source(file)).length, 0) / 1024

describe('the components of the package', () => {
  it.each([
    ['sign-in', 45],
    ['sign-up', 45],
    ['user-button', 37],
    ['user-profile', 33],
    ['organization-switcher', 32],
    ['organization-profile', 33],
    ['create-organization', 32],
    ['api-keys', 32],
    ['pricing-table', 40],
    ['protect', 27],
    ['signed-in', 26],
  ])('%s is a chunk; with the entry it is at most %d KiB', (name, limit) => {
    const later = [...chunksOf([entry])].flatMap((chunk) => manifest[chunk]!.dynamicImports ?? [])
    expect(later).toContain(chunkOf(name))
    expect(kibibytes(closure([entry, chunkOf(name)]))).toBeLessThanOrEqual(limit)
  })

  it('start with an entry of at most 3 KiB, which a server can load', () => {
    const files = closure([entry])
    expect(kibibytes(files)).toBeLessThanOrEqual(3)
    // For a server component, which finds another file. Bundlers of other pages warn of the mark.
    expect(source('embed/components.js')).not.toContain('use client')
    // Next would pass over the entry, which hands on React.
    const { sideEffects } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(sideEffects).toEqual(expect.arrayContaining(['**/embed/boundary.js', '**/embed/components.js']))
    expect(source('embed/boundary.js')).toMatch(
      /^'use client'\nexport \{ .*\bSignIn, .*\} from '\.\/components\.js'\n$/,
    )
    for (const file of files) expect(source(file)).not.toMatch(/\b(document|window|localStorage)\./)
  })

  it('contain neither React nor the history of the document', () => {
    const code = closure([entry, chunkOf('sign-in')])
      .map(source)
      .join()
    expect(code).not.toMatch(/react-dom-client|wouter_v3/)
    expect(code).toMatch(/from"react"/)
    const all = Object.values(manifest).map(({ file }) => file)
    const naming = all.filter((file) => file.endsWith('.js') && /from["'`]react[-/"'`]/.test(source(file)))
    expect(naming).toEqual(['embed/components.js'])
  })

  it('have a stylesheet that reaches nothing outside of them, of at most 12 KiB', () => {
    const css = source('embed.css')
    expect(kibibytes(['embed.css'])).toBeLessThanOrEqual(12)
    expect(css).not.toMatch(/@layer|@property|@font-face|\d+rem\*/)
    // A consumer's minifier would replace it by variables that depend on its own targets.
    expect(css).not.toMatch(/light-dark|lightningcss/)
    const rules = css.replace(/@keyframes [\w-]+\{(?:[^{}]*\{[^{}]*\})*\}/g, '').matchAll(/([^{}]+)\{[^{}]*\}/g)
    const selectors = [...rules].map(([, selector]) => selector!.trim()).filter((one) => !one.startsWith('@'))
    expect(selectors.length).toBeGreaterThan(300)
    expect(
      selectors.filter((one) => !/^(:(?:is\(#_,|where\()\.gh-root(?:\[data-theme=\w+\])?\)|\.gh-)/.test(one)),
    ).toEqual([])
    expect([...css.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name!.startsWith('gh-'))).not.toContain(false)
  })
})

/** As a product does it, with the package's manifest. Decision 413. */
describe('a bundler of a product', () => {
  const input = join(folder, 'product.js')
  const words = /\/words\//
  writeFileSync(
    input,
    `import { createElement as h } from 'react'
     import { renderToString } from 'react-dom/server'
     import { GatehouseProvider, SignIn } from './embed/components.js'
     const settings = { baseURL: 'https://accounts.example.com/api/auth' }
     export const html = renderToString(h(GatehouseProvider, settings, h(SignIn), 'the page'))
     export const alone = () => renderToString(h(SignIn))`,
  )
  const { sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { sideEffects: string[] }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', sideEffects }))

  it('gives them its React', async () => {
    const dir = join(folder, 'bundled')
    const bundle = await rolldown({ input, platform: 'node', external: words, logLevel: 'silent' })
    await bundle.write({ dir, minify: true })
    const product = (await import(pathToFileURL(join(dir, 'product.js')).href)) as { html: string; alone(): string }
    expect(product.html).toBe('the page')
    expect(product.alone).toThrow('belong inside of <GatehouseProvider>')
  })
})
