import { describe, expect, it } from 'vitest'
import { features, places } from '../features.ts'
import { endNames, type FeatureDescriptor, type FeatureParts } from '../http/feature.ts'
import { fileOf } from '../http/load-features.ts'

const all: readonly FeatureDescriptor[] = features

it('the lifecycle table names each feature at each place where it has a step', () => {
  const declared = all.flatMap(({ name, steps = {}, places = [] }) =>
    [...Object.keys(steps), ...places].map((place) => `${place}: ${name}`),
  )
  const listed = Object.entries(places).flatMap(([place, row]) =>
    row.map(({ name }: FeatureDescriptor) => `${place}: ${name}`),
  )
  expect(listed.sort()).toEqual(declared.sort())
})

describe.each(all.map((feature) => [feature.name, feature] as const))('%s', (_name, feature) => {
  it('names the steps and the contributions of its files, and has no other', () => {
    const { steps = {}, ...parts }: FeatureParts = fileOf(feature, 'parts') ?? {}
    const ends = fileOf(feature, 'ends') ?? {}
    expect([...(feature.places ?? [])].sort()).toEqual(Object.keys(steps).sort())
    expect([...(feature.gives ?? [])].sort()).toEqual([...Object.keys(parts), ...Object.keys(ends)].sort())
    expect(Object.keys(ends).filter((name) => !(endNames as readonly string[]).includes(name))).toEqual([])
  })
})
