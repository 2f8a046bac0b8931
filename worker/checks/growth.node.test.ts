import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '..')
const storage = readFileSync(join(folder, 'storage.md'), 'utf8')

/** Every table of D1, from the files that define them and from the migrations. */
function tables(): string[] {
  const files = globSync('**/*.table.ts', { cwd: folder, exclude: ['**/node_modules/**'] })
  const defined = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/sqliteTable\(\s*'(\w+)'/g)].map(([, name]) => name!),
  )
  const migrations = join(folder, '../migrations')
  const migrated = globSync('*.sql', { cwd: migrations })
    .sort()
    .flatMap((file) => [
      ...readFileSync(join(migrations, file), 'utf8').matchAll(
        /(CREATE|DROP) TABLE (?:IF (?:NOT )?EXISTS )?[`"]?(\w+)/gi,
      ),
    ])
  const present = new Set(defined)
  for (const [, doing, name] of migrated) doing!.toUpperCase() === 'CREATE' ? present.add(name!) : present.delete(name!)
  return [...present].filter((name) => !name.startsWith('__new_')).sort()
}

/** The cells of each line of the table below a heading of storage.md. */
function linesBelow(heading: string): string[][] {
  const section = storage.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe('storage.md', () => {
  it('describes the content of every table', () => {
    const described = linesBelow('D1').flatMap(([names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    expect(tables().filter((name) => !described.includes(name))).toEqual([])
  })

  it('describes the limits and the deletion of every table', () => {
    const lines = linesBelow('What bounds each table')
    expect(lines.map(([name]) => name!.replaceAll('`', '')).sort()).toEqual(tables())
    for (const cells of lines) expect(cells.map((cell) => cell !== '')).toEqual([true, true, true, true])
  })
})
