import { describe, expect, it } from 'vitest'
import { inTurn } from './in-turn.ts'

const refused = (status: number, code: string) => ({ data: null, error: { status, statusText: '', code } })

describe('inTurn', () => {
  it('continues after an item that fails, and reports it', async () => {
    const seen: number[] = []
    const failures = await inTurn(
      ['a', 'b', 'c'],
      async (item) => (item === 'b' ? refused(400, 'NO') : { data: item, error: null }),
      (done) => seen.push(done),
    )
    expect(seen).toEqual([0, 1, 2])
    expect(failures.map(({ item, error }) => [item, error.code])).toEqual([['b', 'NO']])
  })

  it.each([0, 401, 429, 503])('stops after a %i: the others fail without a call', async (status) => {
    let calls = 0
    const failures = await inTurn(
      ['a', 'b', 'c'],
      async () => {
        calls++
        return refused(status, 'ALL')
      },
      () => undefined,
    )
    expect(calls).toBe(1)
    expect(failures.map(({ item }) => item)).toEqual(['a', 'b', 'c'])
  })
})
