import type { Runtime } from '../../../http/open-scope.ts'
import { brandOptions } from './brand.config.ts'
import { brandOf } from './brand.ts'

/** For the page "Brand" of the console, and /dev/brand in development: screens and mails with the brand of a query. */

const parameter = 'brand-preview'
const workshops = ['/admin/brand', '/dev/brand']

/**
 * Whether the page shows screens in frames, or is such a frame. In production only our own page can ask for one: a link to
 * a screen with texts of an attacker would be a document, or a frame of another site (decision 381).
 */
export function isPreview({ settings }: Runtime, { headers }: Request, { pathname, searchParams }: URL): boolean {
  if (workshops.includes(pathname)) return true
  if (!searchParams.has(parameter)) return false
  const isOurFrame = headers.get('sec-fetch-dest') === 'iframe' && headers.get('sec-fetch-site') === 'same-origin'
  return isOurFrame || settings.environment === 'development'
}

/** The mail that the frame shows in place of a screen. */
export const mailOfPreview = ({ searchParams }: URL): string | null =>
  searchParams.has(parameter) ? searchParams.get('mail') : null

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

/** The options in force and the defaults. */
export const previewedOptions = ({ options }: Pick<Runtime, 'options'>) => ({
  current: brandOptions.of({ options }),
  defaults: brandOptions.defaults,
})
