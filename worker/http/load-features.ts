import type { ContributionOf, StepsOf, Use } from '../identity/lifecycle.ts'
import type { Lifecycle, Scope } from '../identity/scope.ts'
import type { Feature, FeatureDescriptor, FeatureEndpoints, FeatureEnds, FeatureParts } from './feature.ts'
import { endNames } from './feature.ts'

/** The files of a feature that load after the start, once an isolate. */
interface Files {
  endpoints: FeatureEndpoints
  parts: FeatureParts
  ends: FeatureEnds
}

type File = keyof Files

const loaded = new WeakMap<FeatureDescriptor, Partial<Files>>()

/** Code that has not been loaded: the call needs more than it declares (`Endpoint.uses`). */
export class NotLoaded extends Error {
  override name = 'NotLoaded'
}

/** Loads a file of features. @returns null if all are loaded, which costs nothing */
export function loadFile(features: readonly FeatureDescriptor[], file: File): Promise<unknown> | null {
  const missing = features.filter((feature) => feature[file] && !loaded.get(feature)?.[file])
  if (missing.length === 0) return null
  return Promise.all(
    missing.map(async (feature) => {
      const content = await feature[file]!()
      loaded.set(feature, { ...loaded.get(feature), [file]: content })
    }),
  )
}

/** The loaded file of a feature; undefined if the feature has none. @throws NotLoaded */
export function fileOf<F extends File>(feature: FeatureDescriptor, file: F): Files[F] | undefined {
  const found = loaded.get(feature)?.[file]
  if (!found && feature[file]) throw new NotLoaded(`${feature.name}.${file}`)
  return found
}

/** A feature with all of its files. @throws NotLoaded */
export function wholeFeature(feature: FeatureDescriptor): Feature {
  const { name, options, on, steps, places: _, gives: __, alsoAt: ___, ...rest } = feature
  const { endpoints: _e, parts: _p, ends: _n, ...contributions } = rest
  const parts = fileOf(feature, 'parts')
  return {
    name,
    ...(options && { options }),
    ...(on && { on }),
    ...contributions,
    ...fileOf(feature, 'ends'),
    ...parts,
    steps: { ...steps, ...parts?.steps },
    ...fileOf(feature, 'endpoints'),
  }
}

type Contributions = ContributionOf<Scope>
type Place = keyof StepsOf<Scope>
export type FeaturePlaces = { readonly [P in Place]: readonly FeatureDescriptor[] }

const isEnd = (name: string): name is keyof FeatureEnds => (endNames as readonly string[]).includes(name)

const fileWith = (name: Use): File => (isEnd(name) ? 'ends' : 'parts')

/** The features whose files have to be loaded for a use. */
const featuresFor = (name: Use, features: readonly FeatureDescriptor[]) =>
  features.filter(({ places = [], gives = [] }) => ([...places, ...gives] as readonly string[]).includes(name))

/** What all requests of a deployment share: the steps and the contributions of its features. */
export interface FeatureLoader {
  /** For code that may need every feature that is on. */
  lifecycle: Lifecycle
  /** Loads what these uses need. @returns null if it is loaded */
  load(uses: readonly Use[] | 'all'): Promise<unknown> | null
}

/**
 * @param features all features, in order
 * @param on those that are on
 * @param places the order of the steps
 */
export function featureLoader(
  features: readonly FeatureDescriptor[],
  on: readonly FeatureDescriptor[],
  places: FeaturePlaces,
): FeatureLoader {
  const stepsAt = (place: Place): unknown[] =>
    places[place]
      .filter((feature) => on.includes(feature))
      .map((feature) => feature.steps?.[place] ?? fileOf(feature, 'parts')!.steps![place])
  const contributionsOf = (name: keyof Contributions, of?: 'all'): unknown[] =>
    (of === 'all' ? features : on).flatMap((feature) => {
      const own = (feature as Contributions)[name]
      if (own !== undefined) return [own]
      return feature.gives?.includes(name) ? [(fileOf(feature, fileWith(name)) as Contributions)[name]] : []
    })
  // Every request asks several times. The answer of an isolate is always the same.
  const known = new Map<string, unknown[]>()
  const once = (key: string, find: () => unknown[]) => {
    const values = known.get(key) ?? find()
    known.set(key, values)
    return values
  }
  const registry: Lifecycle['registry'] = (name, of) =>
    once(of === 'all' ? `all ${name}` : name, () => contributionsOf(name, of)) as never
  const lifecycle = { registry } as Lifecycle
  for (const place of Object.keys(places) as Place[]) {
    Object.defineProperty(lifecycle, place, { get: () => once(place, () => stepsAt(place)), enumerable: true })
  }
  let isLoaded = false
  return {
    lifecycle,
    load(uses) {
      if (isLoaded) return null
      if (uses === 'all') {
        const parts = loadFile(on, 'parts')
        const ends = loadFile(features, 'ends')
        if (parts || ends) return Promise.all([parts, ends])
        isLoaded = true
        return null
      }
      const pending = uses.flatMap(
        (name) => loadFile(featuresFor(name, isEnd(name) ? features : on), fileWith(name)) ?? [],
      )
      return pending.length > 0 ? Promise.all(pending) : null
    },
  }
}
