import { describe, expect, it } from 'vitest'
import { addressesIn, typedAddresses } from './addresses.ts'

describe('addressesIn', () => {
  it('splits at commas, semicolons, blanks and lines, and keeps each address once', () => {
    expect(addressesIn('a@x.com, b@x.com;c@x.com\nd@x.com  A@x.com')).toEqual([
      'a@x.com',
      'b@x.com',
      'c@x.com',
      'd@x.com',
    ])
  })

  it('reads recipients of a mail program', () => {
    expect(addressesIn('"Lovelace, Ada" <ada@x.com>, Max M <max@x.com>')).toEqual(['ada@x.com', 'max@x.com'])
    expect(addressesIn('Ada Lovelace <ada@x.com>')).toEqual(['ada@x.com'])
  })

  it('keeps what is not an address', () => {
    expect(addressesIn('ada, bob@')).toEqual(['ada', 'bob@'])
    expect(addressesIn(' \n ')).toEqual([])
  })
})

describe('typedAddresses', () => {
  it.each([
    ['ada@x.com', [], 'ada@x.com'],
    ['ada@x.com,', ['ada@x.com'], ''],
    ['ada@x.com ', ['ada@x.com'], ''],
    ['ada@x.com\nb', ['ada@x.com'], 'b'],
    ['Ada Love', [], 'Ada Love'],
    ['Ada Lovelace <ada@x', [], 'Ada Lovelace <ada@x'],
    ['Ada Lovelace <ada@x.com>', ['ada@x.com'], ''],
  ])('%j', (text, complete, rest) => {
    expect(typedAddresses(text)).toEqual({ complete, rest })
  })
})
