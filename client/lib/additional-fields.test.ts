import { describe, expect, it } from 'vitest'
import * as server from '../../worker/kit/additional-field.ts'
import { brokenRule, inLanguage, typedValue, valuesOf } from './additional-fields.ts'
import type { AdditionalField } from './auth/endpoints.ts'

const shown = { signUp: true, profile: true, returned: true, hasDefault: false }
const form = { name: 'x', label: 'x', required: false, ...shown }

describe('the rules of additional fields', () => {
  const fields: Omit<AdditionalField, keyof typeof form>[] = [
    { type: 'string' },
    { type: 'string', minLength: 2, maxLength: 4 },
    { type: 'string', pattern: '[a-z]+|\\d{2}' },
    { type: 'string', options: ['s', { value: 'm', label: { en: 'Medium', de: 'Mittel' } }] },
    { type: 'number' },
    { type: 'number', min: 18, max: 99 },
    { type: 'date', min: '1900-01-01', max: '2020-12-31' },
    { type: 'boolean' },
  ]
  const typed = ['', ' ', 'a', 'abc', 'abcde', 'ab1', '12', '123', 's', 'm', 'l', '17', '18.5', '100', '1e999', 'on']
  const dates = ['1899-12-31', '1900-01-01', '2020-12-31', '2021-01-01', '2020-02-31x']

  it('are the same here and on the server, whatever is typed', () => {
    let broken = 0
    for (const field of fields) {
      for (const required of [true, false]) {
        for (const text of [...typed, ...dates]) {
          const value = typedValue(field, text)
          const here = brokenRule({ ...form, ...field, required }, value)
          // An optional field that is empty has no value for the server to judge.
          const there = value === null && !required ? null : server.brokenRule({ ...field, required }, value)
          expect([field, required, text, here]).toEqual([field, required, text, there?.rule ?? null])
          if (here) broken++
        }
      }
    }
    expect(broken).toBeGreaterThan(100)
  })

  it('what is sent: numbers and truth values as such; what was emptied, where it is a change', () => {
    const named = (name: string, type: AdditionalField['type']) => ({ ...form, name, type })
    const some = [named('a', 'string'), named('b', 'number'), named('c', 'boolean'), named('d', 'string')]
    const typedIn = { a: ' x ', b: '7', c: 'on', d: '' }
    expect(valuesOf(some, typedIn, 'left out')).toEqual({ a: 'x', b: 7, c: true })
    expect(valuesOf(some, typedIn, 'null')).toEqual({ a: 'x', b: 7, c: true, d: null })
    expect([inLanguage('Team', 'de'), inLanguage({ en: 'Level', de: 'Stufe' }, 'de')]).toEqual(['Team', 'Stufe'])
  })
})
