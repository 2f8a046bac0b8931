import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import { expect, it } from 'vitest'

/**
 * The interfaces that a maintainer has to know before any feature, and the most members that each may have. A new member
 * replaces another one, or joins a group.
 */
const shared: readonly (readonly [file: string, names: readonly string[], max: number])[] = [
  ['identity/scope.ts', ['Call', 'Dependencies', 'Effects', 'Scope'], 20],
  ['identity/work.ts', ['Work'], 9],
  ['identity/lifecycle.ts', ['ContributionOf'], 20],
  ['http/endpoint.ts', ['Endpoint'], 18],
  ['http/operations.ts', ['OperationSpec'], 4],
]

interface Node {
  type: string
  declaration?: Node | null
  id?: { name: string }
  body?: { body: readonly { key?: { name: string } }[] }
}

/** The names of the members that an interface of a file declares itself. */
function membersOf(file: string, name: string): string[] {
  const source = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  const { body } = parseSync(file, source).program as unknown as { body: Node[] }
  const found = body
    .map((node) => node.declaration ?? node)
    .find(({ type, id }) => type === 'TSInterfaceDeclaration' && id?.name === name)
  return found!.body!.body.map(({ key }) => key!.name)
}

it.each(shared)('%s: %j has at most %i members', (file, names, max) => {
  const members = names.flatMap((name) => membersOf(file, name))
  expect(members.length, members.join(', ')).toBeGreaterThan(0)
  expect(members.length, members.join(', ')).toBeLessThanOrEqual(max)
})
