/** Objects whose keys are somebody's own words: they are told as they are. */
const open = new Set([
  'metadata',
  'benefit_metadata',
  'customer_metadata',
  'user_metadata',
  'payment_processor_metadata',
  'custom_field_data',
  'oauth_accounts',
  'archived',
])

const camel = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The provider speaks snake_case, the protocol camelCase. */
export function camelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [camel(key), open.has(key) ? inner : camelCase(inner)]),
  )
}
