import { base64url, fromBase64url } from '../../../kit/base64.ts'

/** The valid queries of the list of users. Other queries are rejected. */

export const searchFields = ['email', 'name', 'id'] as const
export const searchOperators = ['contains', 'starts_with', 'ends_with'] as const
export const sortFields = ['createdAt', 'name', 'email', 'id'] as const
export const filterOperators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains'] as const

/** The filterable fields with the types of their values. */
export const filterFields = {
  id: 'text',
  name: 'text',
  email: 'text',
  role: 'text',
  banReason: 'text',
  username: 'text',
  phoneNumber: 'text',
  emailVerified: 'boolean',
  phoneNumberVerified: 'boolean',
  banned: 'boolean',
  isAnonymous: 'boolean',
  twoFactorEnabled: 'boolean',
  createdAt: 'date',
  updatedAt: 'date',
  banExpires: 'date',
} as const

export type SearchField = (typeof searchFields)[number]
export type SearchOperator = (typeof searchOperators)[number]
export type SortField = (typeof sortFields)[number]
export type FilterField = keyof typeof filterFields
export type FilterOperator = (typeof filterOperators)[number]

export const filterNames = Object.keys(filterFields) as [FilterField, ...FilterField[]]

/** A filter's value in the form of its column: dates are Unix times (ms). Null if it is invalid. */
export function filterValueOf(field: FilterField, text: string): string | number | null {
  const kind = filterFields[field]
  if (kind === 'text') return text
  if (kind === 'boolean') return ({ true: 1, false: 0, '1': 1, '0': 0 } as Record<string, number>)[text] ?? null
  const time = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isSafeInteger(time) ? time : null
}

/** The start of a page: the order and the last user before it. */
export interface Cursor {
  by: SortField
  descending: boolean
  value: string | number
  id: string
}

export const writeCursor = ({ by, descending, value, id }: Cursor): string =>
  base64url(JSON.stringify([by, descending ? 1 : 0, value, id]))

/** Null for an invalid cursor. Its values are used as bound parameters only. */
export function readCursor(text: string): Cursor | null {
  try {
    const [by, descending, value, id] = JSON.parse(fromBase64url(text)) as unknown[]
    const isValue = by === 'createdAt' ? Number.isSafeInteger(value) : typeof value === 'string'
    if (!sortFields.includes(by as SortField) || !isValue || typeof id !== 'string') return null
    return { by: by as SortField, descending: descending === 1, value: value as string | number, id }
  } catch {
    return null
  }
}
