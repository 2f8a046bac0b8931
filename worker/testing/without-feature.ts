import { type Config, ConfigurationError } from '../configuration/read-config.ts'
import { features } from '../features.ts'
import type { FeatureDescriptor } from '../http/feature.ts'
import { mergeOptions } from '../kit/options.ts'
import { everything } from './cases.ts'
import { TestApp } from './harness.ts'

/** A configuration with all features. */
export const unlimited: Config = mergeOptions(everything, { rateLimit: { enabled: false } })

/** The names of the options `enabled`; two features may share one. */
export const toggles: string[] = [
  ...new Set(
    (features as readonly FeatureDescriptor[])
      .map(({ options }) => options)
      .filter((one) => one && typeof one.defaults === 'object' && one.defaults !== null && 'enabled' in one.defaults)
      .map((one) => one!.name),
  ),
]

/** The configuration without the feature, and without those that cannot be on without it. */
export function without(name: string): { config: Config; off: Set<string> } {
  const off = new Set([name])
  for (;;) {
    const config = mergeOptions<object>(unlimited, Object.fromEntries([...off].map((one) => [one, { enabled: false }])))
    try {
      new TestApp(config)
      return { config, off }
    } catch (thrown) {
      const dependent = thrown instanceof ConfigurationError ? thrown.setting.split('.')[0]! : name
      if (off.has(dependent)) throw thrown
      off.add(dependent)
    }
  }
}
