import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { deviations } from './contract.ts'

const person = z.object({ id: z.string(), at: z.date(), nick: z.string().optional() })
const right = { id: 'a', at: '2026-01-01T00:00:00.000Z' }
const found = (schema: z.ZodType, value: unknown, open: string[] = []) => deviations(schema, value, new Set(open))

describe('the contract check of the harness', () => {
  it('accepts answers that match the contract', () => {
    expect(found(person, right)).toEqual([])
    expect(found(z.object({ people: z.array(person) }), { people: [right, { ...right, nick: 'b' }] })).toEqual([])
  })

  it.each<[string, z.ZodType, unknown]>([
    ['an undeclared field', person, { ...right, password: 'x' }],
    ['a field that is missing', person, { id: 'a' }],
    ['another type', person, { ...right, id: 1 }],
    ['an invalid date', person, { ...right, at: 'yesterday' }],
    ['a list that is longer than its maximum', z.array(z.string()).max(1), ['a', 'b']],
    ['an undeclared field inside of a list', z.array(person), [right, { ...right, hash: 'x' }]],
    ['an undeclared field behind null', person.nullable(), { ...right, hash: 'x' }],
    [
      'an undeclared field in every part of a union',
      z.union([person, z.object({ ok: z.boolean() })]),
      { ok: true, hash: 'x' },
    ],
    ['an undeclared field in a record', z.record(z.string(), person), { a: { ...right, hash: 'x' } }],
  ])('finds %s', (_, schema, value) => {
    expect(found(schema, value)).not.toEqual([])
  })

  it('accepts only the fields of features and of the configuration in a loose object', () => {
    const loose = z.looseObject({ id: z.string() })
    expect(found(loose, { id: 'a', username: 'b' }, ['username'])).toEqual([])
    expect(found(loose, { id: 'a', password: 'b' }, ['username'])).not.toEqual([])
  })
})
