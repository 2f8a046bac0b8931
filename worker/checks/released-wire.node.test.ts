import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'
import { changesSince, exportsOfPackage, lastRelease, surfaceFile } from '../testing/released.ts'
import { brokenExports, brokenWire, exportsOf, type Surface, unnamed, type Wire } from '../testing/surface.ts'
import { wireOfContracts } from '../testing/wire.ts'

// `npm run surface`, after `npm run package`: writes what users of this version depend on.
if (process.env.WRITE_SURFACE) {
  it('is written for this version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const surface: Surface = { wire: await wireOfContracts(), exports: exportsOfPackage() }
    writeFileSync(join(root, surfaceFile(version)), `${JSON.stringify(surface, null, 2)}\n`)
  })
}

describe('the endpoints of the last release', () => {
  it('accept what they accepted and return what they returned, unless the changelog names it', async () => {
    const { version, surface } = lastRelease()
    expect(Object.keys(surface.wire).length).toBeGreaterThan(100)
    expect(unnamed(brokenWire(surface.wire, await wireOfContracts()), changesSince(version))).toEqual([])
  })
})

it('the changelog begins with one page: what the version does for users, and what to do', () => {
  const [, page] = /^### In short\n([\s\S]*?)^All changes, by part:$/m.exec(changesSince(lastRelease().version)) ?? []
  expect(page?.split('\n').length).toBeLessThan(45)
  expect(page).toMatch(/^What 0\.3\.0 does for you:[\s\S]*^What to do/m)
})

describe('the comparison', () => {
  const before: Wire = {
    'POST /sign-in': {
      in: { email: '! string', note: 'null string' },
      out: { user: '! object', 'user.id': '! string' },
    },
  }
  const now = (change: (wire: Wire[string]) => void): Wire => {
    const endpoint = structuredClone(before['POST /sign-in']!)
    change(endpoint)
    return { 'POST /sign-in': endpoint }
  }

  it.each<[string, Wire, string[]]>([
    ['nothing', now(() => {}), []],
    ['an endpoint', {}, ['POST /sign-in is removed']],
    ['an input', now(({ in: input }) => delete input.note), ['POST /sign-in: the input note was accepted as any']],
    [
      'a type of an input',
      now(({ in: input }) => Object.assign(input, { note: 'string' })),
      ['POST /sign-in: the input note was accepted as null'],
    ],
    [
      'a further required input',
      now(({ in: input }) => Object.assign(input, { code: '! string' })),
      ['POST /sign-in: the input code is required'],
    ],
    [
      'a field of the response',
      now(({ out }) => delete out['user.id']),
      ['POST /sign-in: the response has no user.id'],
    ],
    [
      'a guarantee',
      now(({ out }) => Object.assign(out, { 'user.id': 'string' })),
      ['POST /sign-in: the response may lack user.id'],
    ],
    [
      'a type of the response',
      now(({ out }) => Object.assign(out, { 'user.id': '! null string' })),
      ['POST /sign-in: user.id of the response may be null'],
    ],
    ['a further field', now(({ out, in: input }) => Object.assign(out, { more: 'string' }, input)), []],
  ])('reports %s', (_, changed, expected) => {
    expect(brokenWire(before, changed).map(({ what }) => what)).toEqual(expected)
  })

  it('accepts what one entry of the changelog names with its endpoint', () => {
    const breaks = brokenWire(
      before,
      now(({ out }) => delete out['user.id']),
    )
    expect(unnamed(breaks, '- `POST /sign-in` returns no `id`.')).toEqual([])
    expect(unnamed(breaks, '- `POST /sign-in` is quick.\n- The `id` is short.')).toHaveLength(1)
    expect(unnamed(breaks, '- `POST /sign-in/email` returns no `id`.')).toHaveLength(1)
  })

  it('reports a removed export and a removed member', () => {
    const read = (text: string) => ({ index: exportsOf(text) })
    const old = read(
      'interface A { a: string; b?: number }\ntype B = string\nexport { A, type B as C }\nexport declare const d: 1',
    )
    expect(old).toEqual({ index: { A: ['a', 'b'], C: [], d: [] } })
    const fresh = read('interface A { a: string }\nexport { A }\nexport declare const d: 1')
    expect(brokenExports(old, fresh).map(({ what }) => what)).toEqual(['index: A has no b', 'index: C is not exported'])
  })
})
