import { expect, it } from 'vitest'
import { mergeByName, roundedMax, sumOf } from './scale.ts'

it.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 4],
  [7, 8],
  [11, 12],
  [13, 16],
  [21, 24],
  [99, 100],
  [1001, 1200],
])('an axis for %i ends at %i', (largest, end) => {
  expect(roundedMax(largest)).toBe(end)
})

it('merges series of one name, the largest first', () => {
  expect(
    mergeByName([
      { name: 'Password', counts: [1, null, 0] },
      { name: 'Google', counts: [5, 5, 5] },
      { name: 'Password', counts: [2, null, 3] },
    ]),
  ).toEqual([
    { name: 'Google', counts: [5, 5, 5] },
    { name: 'Password', counts: [3, null, 3] },
  ])
  expect(sumOf([null, null])).toBeNull()
})
