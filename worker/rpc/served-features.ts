import { enabledFeatures, features } from '../features.ts'
import type { Feature } from '../http/feature.ts'
import type { Operations } from '../http/operations.ts'
import { sharedOperations } from './shared-operations.ts'

/**
 * What a deployment serves over HTTP: the enabled features, and the operations over several of them. Operations have no
 * endpoints without server keys.
 */
export function servedFeatures(options: Readonly<Record<string, unknown>>): Feature[] {
  const on = enabledFeatures(options)
  if (!on.some(({ serverKeys }) => serverKeys)) return on.map(({ operations: _, ...feature }) => feature)
  return [...on, { name: 'server', operations: sharedOperations }]
}

/** The operations of all features, also of those that are off: a service binding has one class. */
export const allOperations: Operations = Object.assign(
  {},
  ...(features as readonly Feature[]).map(({ operations }) => operations),
  sharedOperations,
)
