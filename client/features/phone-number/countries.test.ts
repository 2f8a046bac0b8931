import { describe, expect, it } from 'vitest'
import { readablePhone, shownName } from '../../lib/phone.ts'
import { countriesIn, toE164 } from './countries.ts'

describe('a number as it is written in a country', () => {
  it.each([
    ['0151 2345678', 'DE', '+491512345678'],
    ['151 2345678', 'DE', '+491512345678'],
    ['(555) 000-1111', 'US', '+15550001111'],
    ['1 555 000 1111', 'CA', '+15550001111'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['06 1234567', 'IT', '+39061234567'],
    ['8 912 345-67-89', 'RU', '+79123456789'],
    ['06 20 123 4567', 'HU', '+36201234567'],
    ['+44 7911 123456', 'DE', '+447911123456'],
    ['0044 7911 123456', 'DE', '+447911123456'],
  ])('%s in %s is %s', (text, country, number) => {
    expect(toE164(text, country)).toBe(number)
  })

  it.each(['', '12', 'ada@example.com', '+12', '0151 CALL ME', '0151'])('%j is not a phone number', (text) => {
    expect(toE164(text, 'DE')).toBeNull()
    expect(toE164(text, 'US')).toBeNull()
  })
})

it('every country has a name', () => {
  const list = countriesIn('de')
  expect(list.length).toBeGreaterThan(230)
  expect(list.find(({ country }) => country === 'DE')).toEqual({ country: 'DE', code: '49', name: 'Deutschland' })
})

it.each([
  ['+491512345678', '+49 151 234 5678'],
  ['+15550001111', '+1 555 000 1111'],
  ['+33612345678', '+33 612 345 678'],
  ['+358401234567', '+358 401 234 567'],
  ['ada@example.com', 'ada@example.com'],
])('%s is read as %s', (number, read) => {
  expect(readablePhone(number).replaceAll('\u00a0', ' ')).toBe(read)
})

it.each([
  ['+491512345678', '+49 ••• 678'],
  ['Ada', 'Ada'],
  ['', ''],
])('the name %j is shown to others as %j', (name, shown) => {
  expect(shownName(name).replaceAll('\u00a0', ' ')).toBe(shown)
})
