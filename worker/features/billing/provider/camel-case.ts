/** Objects with keys of the merchant or customer, which remain unchanged. */
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

/** Keys of the provider are snake_case, keys of the protocol camelCase. */
export function camelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [camel(key), open.has(key) ? inner : camelCase(inner)]),
  )
}
