import { describe, expect, it } from 'vitest'
import { looksLikePhone, normalizePhone } from './phone.ts'

describe('a phone number in common notations', () => {
  it.each([
    ['+49 151 234 56 78', '+491512345678'],
    ['0049 (151) 234-5678', '+491512345678'],
    ['+1.555.000.1111', '+15550001111'],
  ])('%s is %s', (text, number) => {
    expect(normalizePhone(text)).toBe(number)
    expect(looksLikePhone(text)).toBe(true)
  })

  it.each(['0151 2345678', '12345678', '+12', 'ada@example.com', ''])('%s is not a number', (text) => {
    expect(looksLikePhone(text)).toBe(false)
  })
})
