import type { Runtime } from '../../../http/open-scope.ts'
import { brandOptions } from './brand.config.ts'
import { brandOf } from './brand.ts'

/** For /dev/brand, in development: the screens with the brand of a query. */

const parameter = 'brand-preview'

/** Whether /dev/brand or one of its frames asks. */
export const isPreview = ({ pathname, searchParams }: URL): boolean =>
  pathname === '/dev/brand' || searchParams.has(parameter)

/** The runtime with the brand of a page's query. @returns the problems of options that are not valid */
export function withPreviewedBrand(runtime: Runtime, url: URL): Runtime | { problems: string[] } {
  const given = url.searchParams.get(parameter)
  if (given === null) return runtime
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch {
    return { problems: [`${parameter} is not JSON`] }
  }
  const { success, data, error } = brandOptions.schema.safeParse(value)
  if (!success) return { problems: error.issues.map(({ path, message }) => `brand.${path.join('.')}: ${message}`) }
  const options = { ...runtime.options, brand: data }
  return { ...runtime, options, brand: brandOf(runtime.settings, options) }
}

/** GET /dev/brand.json: the options in force and the defaults. */
export const previewedOptions = ({ options }: Runtime) => ({
  current: brandOptions.of({ options }),
  defaults: brandOptions.defaults,
})
