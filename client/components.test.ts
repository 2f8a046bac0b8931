import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'

// What a page loads for a component in addition to React: the compressed chunks of the entry and of the component with
// their static imports.

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-components-'))
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
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
const source = (file: string) => readFileSync(join(folder, file), 'utf8')

const entry = 'sdk/components/components.tsx'
const chunkOf = (name: string) => `sdk/components/${name}.tsx`

function closure(entries: string[]): string[] {
  const files = new Set<string>()
  const visit = (name: string) => {
    const { file, imports = [] } = manifest[name]!
    if (files.has(file)) return
    files.add(file)
    imports.forEach(visit)
  }
  entries.forEach(visit)
  return [...files]
}

const kibibytes = (files: string[]) => files.reduce((sum, file) => sum + gzipSync(source(file)).length, 0) / 1024

describe('the components of the package', () => {
  it.each([
    ['sign-in', 45],
    ['sign-up', 45],
    ['user-button', 37],
    ['user-profile', 30],
    ['organization-switcher', 30],
    ['organization-profile', 30],
    ['create-organization', 30],
    ['api-keys', 30],
    ['pricing-table', 40],
    ['protect', 20],
    ['signed-in', 10],
  ])('%s is a chunk; with the entry it is at most %d KiB', (name, limit) => {
    expect(manifest[entry]!.dynamicImports).toContain(chunkOf(name))
    expect(kibibytes(closure([entry, chunkOf(name)]))).toBeLessThanOrEqual(limit)
  })

  it('start with an entry of at most 3 KiB, which a server can load', () => {
    const files = closure([entry])
    expect(kibibytes(files)).toBeLessThanOrEqual(3)
    expect(source('components.js')).toMatch(/^"use client"/)
    for (const file of files) expect(source(file)).not.toMatch(/\b(document|window|localStorage)\./)
  })

  it('contain neither React nor the history of the document', () => {
    const code = closure([entry, chunkOf('sign-in')])
      .map(source)
      .join()
    expect(code).not.toMatch(/react-dom-client|wouter_v3/)
    expect(code).toMatch(/from"react"/)
  })

  it('have a stylesheet that reaches nothing outside of them, of at most 12 KiB', () => {
    const css = source('components.css')
    expect(kibibytes(['components.css'])).toBeLessThanOrEqual(12)
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
