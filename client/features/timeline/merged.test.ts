import { describe, expect, it } from 'vitest'
import { grouped, type Line } from './line.ts'
import { merged, type Source } from './merged.ts'

const line = (minute: number, same = 'x'): Line => ({
  id: `${same}${minute}`,
  date: new Date(minute * 60_000),
  words: same,
  places: [],
  same,
  details: () => null,
})
const source = (minutes: number[], name: string, hasMore = false): Source => ({
  lines: minutes.map((minute) => line(minute, name)),
  more: hasMore ? { run: () => undefined, busy: false } : null,
})
const idsOf = ({ lines }: Source) => lines.map(({ id }) => id)

describe('a timeline of several sources', () => {
  it('has the newest line first', () => {
    expect(idsOf(merged([source([9, 3], 'a'), source([7, 5], 'b')]))).toEqual(['a9', 'b7', 'b5', 'a3'])
  })

  it('hides what is older than a source with further pages, and loads that source', () => {
    const [a, b] = [source([9, 8], 'a', true), source([7, 1], 'b', true)]
    const both = merged([a, b])
    expect(idsOf(both)).toEqual(['a9', 'a8'])
    expect(both.more).toBe(a.more)
    expect(idsOf(merged([source([9, 8, 2], 'a'), b]))).toEqual(['a9', 'a8', 'b7', 'a2', 'b1'])
  })

  it('is empty without sources', () => {
    expect(merged([])).toEqual({ lines: [], more: null })
  })
})

describe('repetition', () => {
  it('is a group of neighbours', () => {
    const lines = [line(9, 'a'), line(8, 'a'), line(7, 'b'), line(6, 'a')]
    expect(grouped(lines).map((group) => group.map(({ id }) => id))).toEqual([['a9', 'a8'], ['b7'], ['a6']])
  })
})
