import { expect, it } from 'vitest'
import { features, places } from '../features.ts'
import type { Feature } from '../http/feature.ts'

it('the lifecycle table names each feature at each place where it has a step', () => {
  const declared = features.flatMap(({ name, steps = {} }: Feature) =>
    Object.keys(steps).map((place) => `${place}: ${name}`),
  )
  const listed = Object.entries(places).flatMap(([place, row]) => row.map(({ name }) => `${place}: ${name}`))
  expect(listed.sort()).toEqual(declared.sort())
})
