import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'

// The size of what a browser loads before it shows a screen: the compressed JavaScript of the given chunks and their
// static imports.

interface Chunk {
  file: string
  imports?: string[]
}

// A new build, so that the sizes are those of this source. With the test runner's NODE_ENV it would contain React's
// development code.
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
afterAll(() => rmSync(folder, { recursive: true }))
const env = { ...process.env, NODE_ENV: 'production' }
execFileSync('npx', ['vite', 'build', import.meta.dirname, '--outDir', folder, '--logLevel', 'error'], { env })

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

function closure(entries: string[], chunks = manifest): string[] {
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = chunks[name]
    if (!chunk) throw new Error(`the build has no chunk ${name}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const entry of entries) visit(entry)
  return [...files]
}

const source = (file: string) => readFileSync(join(folder, file))
const kibibytes = (files: string[]) => files.reduce((sum, file) => sum + gzipSync(source(file)).length, 0) / 1024

const signIn = closure(['index.html', 'pages/sign-in.tsx'])
const signedIn = closure(['index.html', 'app/member-frame.tsx', 'pages/profile.tsx'])

describe('an embedded sign-in', () => {
  it('loads at most 12 scripts, with 110 KiB of JavaScript', () => {
    const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/embed.json'), 'utf8'))
    const files = closure(['sdk/embed/embed.ts', 'sdk/embed/view.tsx', 'sdk/components/sign-in.tsx'], chunks)
    expect(files.length).toBeLessThanOrEqual(12)
    expect(kibibytes(files)).toBeLessThanOrEqual(110)
  })
})

describe('the first load', () => {
  it('is at most 100 KiB of JavaScript for the sign-in', () => {
    expect(kibibytes(signIn)).toBeLessThanOrEqual(100)
  })

  it('is at most 130 KiB of JavaScript for the signed-in frame', () => {
    expect(kibibytes(signedIn)).toBeLessThanOrEqual(130)
  })

  it('has neither a schema library nor react-query in the sign-in', () => {
    const code = signIn.map((file) => source(file).toString()).join()
    expect(code).not.toMatch(/ZodError|QueryClient|invalidateQueries/)
  })

  it('is visible immediately on every screen: the page lists its scripts', () => {
    const [, text] = /<script id="scripts" type="application\/json">(.*?)<\/script>/s.exec(
      String(source('index.html')),
    )!
    const { visitor, member, languages } = JSON.parse(text!) as Record<string, Record<string, string[]>>
    const lists = ['app/routes.ts', ...globSync('features/*/screens.ts', { cwd: import.meta.dirname })]
    const routes = lists.map((list) => readFileSync(join(import.meta.dirname, list), 'utf8')).join()
    expect(Object.keys({ ...visitor, ...member })).toHaveLength(routes.match(/=> import\(/g)!.length - 1)
    const entry = closure(['index.html'])
    const beside = (files: string[]) => files.filter((file) => !entry.includes(file)).sort()
    expect(visitor!['/sign-in']!.sort()).toEqual(beside(signIn))
    expect(member!['/account/profile']).toEqual(expect.arrayContaining(beside(signedIn)))
    // The parts of the page that load their own code.
    expect(member!['/account/profile']).toContain(manifest['features/username/username-section.tsx']!.file)
    for (const files of Object.values({ ...visitor, ...member, ...languages })) expect(files).not.toEqual([])
  })
})
