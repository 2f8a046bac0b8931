import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The rows of the table "Four requests" of README.md. */
const walks = readme
  .split('## Four requests')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => /`[\w/.-]+\.ts`/.test(line) && line.startsWith('| '))
  .map((line): [string, string[]] => {
    const [request = '', files = ''] = line.slice(2).split(' | ')
    return [request, [...files.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file!)]
  })

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, path]) =>
    join(dirname(file), path!),
  )

it('describes four requests', () => expect(walks).toHaveLength(4))

it.each(walks)('%s: at most nine files, each of which another one uses, or uses', (_request, files) => {
  expect(files.length).toBeGreaterThan(4)
  expect(files.length).toBeLessThanOrEqual(9)
  const uses = new Map(files.map((file) => [file, importsOf(file)]))
  const alone = files.filter(
    (file) =>
      !files.some((other) => other !== file && (uses.get(file)!.includes(other) || uses.get(other)!.includes(file))),
  )
  expect(alone).toEqual([])
})
