import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseSync } from 'rolldown/experimental'
import { expect, it } from 'vitest'

/**
 * No regular expression that a request reaches takes exponential time: recheck analyses every literal of the Worker and of
 * the app.
 */

const root = join(import.meta.dirname, '../..')
const files = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.test.ts', '**/*.e2e.ts', 'worker/{bench,testing}/**', 'client/e2e/**'],
})

interface Literal {
  source: string
  flags: string
  file: string
}

function literalsOf(file: string): Literal[] {
  const found: Literal[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex } = node as { type?: string; regex?: { pattern: string; flags: string } }
    if (type === 'Literal' && regex) found.push({ source: regex.pattern, flags: regex.flags, file })
    else for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

const literals = new Map(
  files.flatMap(literalsOf).map((literal) => [`/${literal.source}/${literal.flags}`, literal] as const),
)

it('has no expression that takes exponential time', { timeout: 300_000 }, async () => {
  expect(literals.size).toBeGreaterThan(300)
  const exponential: string[] = []
  for (const [shown, { source, flags, file }] of literals) {
    const found = await check(source, flags, { timeout: 20_000 })
    const isPolynomial = found.status === 'vulnerable' && found.complexity.type === 'polynomial'
    if (found.status !== 'safe' && !isPolynomial) exponential.push(`${file}: ${shown}`)
  }
  expect(exponential).toEqual([])
})
