import type { Filter } from 'scim2-parse-filter'
import { findAttribute, quoted } from './paths.ts'
import type { Attribute } from './schemas.ts'
import { scimError } from './scim.errors.ts'
import { isEmpty, isRecord, readBoolean } from './values.ts'

/** Whether a value of a multi-valued attribute fulfils the filter of a path. @throws invalidFilter */
export function matches(attribute: Attribute, value: unknown, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => matches(attribute, value, one))
    case 'or':
      return filter.filters.some((one) => matches(attribute, value, one))
    case 'not':
      return !matches(attribute, value, filter.filter)
    case '[]':
      throw scimError('SCIM_INVALID_FILTER')
    default: {
      const sub = findAttribute(attribute.subAttributes ?? [], filter.attrPath)
      if (!sub) throw scimError('SCIM_INVALID_FILTER', `${quoted(filter.attrPath)} is not part of ${attribute.name}`)
      const found = isRecord(value) ? value[sub.name] : undefined
      return filter.op === 'pr' ? !isEmpty(found) && found !== '' : compares(sub, found, filter.op, filter.compValue)
    }
  }
}

type Comparison = Exclude<Filter['op'], 'and' | 'or' | 'not' | '[]' | 'pr'>

function compares({ type, caseExact }: Attribute, found: unknown, op: Comparison, wanted: unknown): boolean {
  if (type === 'boolean') {
    const [one, other] = [found === true, readBoolean(wanted)]
    return op === 'eq' ? one === other : op === 'ne' ? one !== other : false
  }
  if (wanted === null) return op === 'eq' ? isEmpty(found) : !isEmpty(found)
  if (isEmpty(found)) return op === 'ne'
  const plain = (text: unknown) => (caseExact ? String(text) : String(text).toLowerCase())
  const [one, other] = [plain(found), plain(wanted)]
  switch (op) {
    case 'eq':
      return one === other
    case 'ne':
      return one !== other
    case 'co':
      return one.includes(other)
    case 'sw':
      return one.startsWith(other)
    case 'ew':
      return one.endsWith(other)
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    case 'le':
      return one <= other
  }
}
