import { features, featuresOn } from '../features.ts'
import type { Feature, FeatureDescriptor } from '../http/feature.ts'
import { fileOf, loadFile, wholeFeature } from '../http/load-features.ts'
import { idOfOperation, nameOfOperation, type Operation, serverPath } from '../http/operations.ts'
import { pathTable } from '../http/paths.generated.ts'

/** The operations over several features. */
export const serverFeature: FeatureDescriptor = {
  name: 'server',
  endpoints: async () => ({ operations: (await import('./shared-operations.ts')).sharedOperations }),
}

/** Operations have no endpoints without server keys. */
const hasServerKeys = (on: readonly FeatureDescriptor[]) => on.some(({ gives }) => gives?.includes('serverKeys'))

/** What a deployment serves over HTTP: the enabled features, and the operations over several of them. */
export function describedFeatures(options: Readonly<Record<string, unknown>>): {
  features: readonly FeatureDescriptor[]
  operations: boolean
} {
  const on = featuresOn(options)
  const operations = hasServerKeys(on)
  return { features: operations ? [...on, serverFeature] : on, operations }
}

/** The same, once they are loaded. */
export function servedFeatures(options: Readonly<Record<string, unknown>>): Feature[] {
  const { features: on, operations } = describedFeatures(options)
  const whole = on.map(wholeFeature)
  return operations ? whole : whole.map(({ operations: _, ...feature }) => feature)
}

/** The names of all operations, also of features that are off: a service binding has one class. */
export const operationNames = (): string[] =>
  Object.values(pathTable)
    .flatMap((endpoints) => Object.entries(endpoints))
    .flatMap(([id, [, path]]) => (path!.startsWith(`${serverPath}/`) ? [nameOfOperation(id)] : []))

/** The operation of a name, also of a feature that is off. */
export async function findOperation(name: string): Promise<Operation> {
  const id = idOfOperation(name)
  const all: readonly FeatureDescriptor[] = [...features, serverFeature]
  const feature = all.find((one) => pathTable[one.name]?.[id])!
  await loadFile([feature], 'endpoints')
  return fileOf(feature, 'endpoints')!.operations![name]!
}
