import { describe, expect, it } from 'vitest'
import { inLanguage, valuesOf } from './additional-fields.ts'
import type { AdditionalField } from './auth/endpoints.ts'

const form = { name: 'x', label: 'x', required: false, signUp: true, profile: true, returned: true, hasDefault: false }

describe('values of additional fields', () => {
  it('are sent as numbers and booleans; emptied ones only in a change', () => {
    const named = (name: string, type: AdditionalField['type']) => ({ ...form, name, type })
    const some = [named('a', 'string'), named('b', 'number'), named('c', 'boolean'), named('d', 'string')]
    const typedIn = { a: ' x ', b: '7', c: 'on', d: '' }
    expect(valuesOf(some, typedIn, 'left out')).toEqual({ a: 'x', b: 7, c: true })
    expect(valuesOf(some, typedIn, 'null')).toEqual({ a: 'x', b: 7, c: true, d: null })
    expect(inLanguage('Team', 'de')).toBe('Team')
    expect(inLanguage({ en: 'Level', de: 'Stufe' }, 'de')).toBe('Stufe')
  })
})
