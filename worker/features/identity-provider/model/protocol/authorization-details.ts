import { isTooDeep } from '../../../../http/body.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { nameInput } from '../../../../kit/inputs.ts'
import { fill } from '../../../../kit/texts.ts'
import type { DetailField, DetailType } from '../../detail-types.config.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { normalResource } from './urls.ts'

/** A bounded permission: `type`, and the fields of this type in the configuration (RFC 9396, section 2). */
export interface AuthorizationDetail {
  type: string
  [field: string]: string | number | string[]
}

const maxLength = 4000
const maxDetails = 10

export const detailTypesOf = (scope: Pick<Scope, 'options'>): DetailType[] =>
  identityProviderOptions.of(scope).authorizationDetailTypes

const isText = (value: unknown): value is string => nameInput.min(1).safeParse(value).data === value

/** A valid value of a field, unchanged; null for an invalid one. */
function checkedValue(field: DetailField, value: unknown): string | number | string[] | null {
  if (field.kind === 'number') {
    const { min, max, decimals } = field
    const fits = typeof value === 'number' && value >= min && value <= max
    return fits && Number(value.toFixed(decimals)) === value ? value : null
  }
  if (field.kind === 'text') {
    const { maxLength: max, values } = field
    return isText(value) && value.length <= max && (values === null || values.includes(value)) ? value : null
  }
  const items: unknown[] = Array.isArray(value) ? [...new Set(value)] : []
  const fits = items.length > 0 && items.every((item): item is string => field.values.includes(item as string))
  return fits ? (items as string[]) : null
}

/** RFC 9396, section 5: a known type with all of its fields and no others. */
function detailOf(types: readonly DetailType[], given: unknown): AuthorizationDetail | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  const values = given as Record<string, unknown>
  const type = types.find((one) => one.type === values.type)
  if (!type || Object.keys(values).some((name) => name !== 'type' && !Object.hasOwn(type.fields, name))) return null
  const detail: AuthorizationDetail = { type: type.type }
  for (const [name, field] of Object.entries(type.fields)) {
    const value = Object.hasOwn(values, name) ? checkedValue(field, values[name]) : null
    if (value === null) return null
    detail[name] = value
  }
  return detail
}

/** The parameter `authorization_details`; null if it is absent, empty or invalid. @param text a JSON array */
export function readDetails(types: readonly DetailType[], text: string | undefined): AuthorizationDetail[] | null {
  if (text === undefined || text.length > maxLength) return null
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(given) || given.length === 0 || given.length > maxDetails || isTooDeep(given)) return null
  const details = given.map((one) => detailOf(types, one))
  return details.every((one) => one !== null) ? details : null
}

/** The fault of a request's `authorization_details` (RFC 9396, section 5); null if they are absent or valid. */
export function detailsFault(
  types: readonly DetailType[],
  text: string | undefined,
  request: { registered: readonly string[] | undefined; scopes: readonly string[]; resources: readonly string[] },
): string | null {
  if (text === undefined) return null
  const details = readDetails(types, text)
  if (!details) return 'authorization_details must be a list of objects of supported types with their fields'
  for (const { type: name } of details) {
    const { resource, scope } = types.find(({ type }) => type === name)!
    if (request.registered && !request.registered.includes(name)) return `the client did not register for ${name}`
    if (resource !== null && !request.resources.includes(normalResource(resource))) {
      return `the request does not name the resource of ${name}`
    }
    if (scope !== null && !request.scopes.includes(scope)) return `${name} needs the scope ${scope}`
  }
  return null
}

function isWithin(types: readonly DetailType[], wanted: AuthorizationDetail, granted: AuthorizationDetail): boolean {
  const type = types.find((one) => one.type === wanted.type)
  if (!type || granted.type !== wanted.type) return false
  return Object.entries(type.fields).every(([name, field]) => {
    const [less, more] = [wanted[name], granted[name]]
    if (field.kind === 'list') return [less].flat().every((item) => [more].flat().includes(item))
    if (field.kind === 'number' && field.limit) return Number(less) <= Number(more)
    return less === more
  })
}

/**
 * Whether each wanted detail is within a granted one of its own: two payments are not within one. @param wanted null is
 * invalid
 */
export function areWithin(
  types: readonly DetailType[],
  wanted: readonly AuthorizationDetail[] | null,
  granted: readonly AuthorizationDetail[] | null | undefined,
): boolean {
  if (!wanted || !granted) return false
  // The wanted detail that has each granted one: a matching with augmenting paths (Kuhn).
  const owner = new Map<number, number>()
  const place = (at: number, tried: Set<number>): boolean =>
    granted.some((one, index) => {
      if (tried.has(index) || !isWithin(types, wanted[at]!, one)) return false
      tried.add(index)
      const other = owner.get(index)
      if (other !== undefined && !place(other, tried)) return false
      owner.set(index, at)
      return true
    })
  return wanted.every((_, at) => place(at, new Set()))
}

/** The details of a token request: those that it names, which the checks have accepted, or all that are granted. */
export function narrowedDetails(
  types: readonly DetailType[],
  wanted: string | undefined,
  granted: readonly AuthorizationDetail[] | null | undefined,
): AuthorizationDetail[] | null {
  if (wanted !== undefined) return readDetails(types, wanted)
  return granted && granted.length > 0 ? [...granted] : null
}

/** The details of an access token: without those of other resources, of scopes that it lacks, and of removed types. */
export function detailsAt(
  scope: Scope,
  granted: readonly AuthorizationDetail[] | null,
  scopes: readonly string[],
  resource: string | null,
): AuthorizationDetail[] {
  const types = detailTypesOf(scope)
  return (granted ?? []).filter((detail) => {
    const type = types.find((one) => one.type === detail.type)
    if (!type || (type.scope !== null && !scopes.includes(type.scope))) return false
    return type.resource === null || normalResource(type.resource) === resource
  })
}

/** A user's or client's words between other words keep their own direction (UAX #9: FSI and PDI). */
const isolated = (text: string): string => `\u2068${text}\u2069`

/** The configured sentences of details, by language, with the values. */
export function detailWords(
  scope: Scope,
  details: readonly AuthorizationDetail[] | null | undefined,
): { type: string; sentence: Record<string, string> }[] {
  const types = detailTypesOf(scope)
  return (details ?? []).flatMap(({ type: name, ...values }) => {
    const type = types.find((one) => one.type === name)
    if (!type) return []
    const sentences = Object.entries(type.sentence).map(([language, text]) => {
      const shown = Object.entries(values).map(([field, value]) => {
        if (typeof value === 'number') return [field, value.toLocaleString(language, { maximumFractionDigits: 6 })]
        return [field, isolated(typeof value === 'string' ? value : value.join(', '))]
      })
      return [language, fill(text, Object.fromEntries(shown), language)]
    })
    return [{ type: name, sentence: Object.fromEntries(sentences) }]
  })
}

/** The sentence in a language, or in English. */
export const sentenceIn = (sentence: Readonly<Record<string, string>>, language: string): string =>
  sentence[language] ?? sentence.en!
