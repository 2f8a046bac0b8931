import { expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

it('forgets the oldest entry beyond its maximum; a key that is set again is the newest', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
