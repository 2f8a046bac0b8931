import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'
import released from '../testing/released-migrations.json' with { type: 'json' }

/** A release pins its migrations here by their hashes, because deployments have applied them. */
const pinned = Object.assign({}, ...Object.values(released)) as Record<string, string>
const present = readdirSync(join(root, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .sort()

describe('migrations', () => {
  it('are only added: released ones are unchanged and come first', () => {
    const names = Object.keys(pinned)
    expect(present.slice(0, names.length)).toEqual(names)
    for (const name of names) {
      const hash = createHash('sha256')
        .update(readFileSync(join(root, 'migrations', name)))
        .digest('hex')
      expect({ name, hash }).toEqual({ name, hash: pinned[name] })
    }
  })

  it('are numbered in their order, without a gap', () => {
    expect(present.map((name) => Number(name.slice(0, 4)))).toEqual(present.map((_, n) => n))
  })
})
