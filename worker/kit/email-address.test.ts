import { describe, expect, it } from 'vitest'
import { readAddress } from './email-address.ts'

describe('readAddress', () => {
  it.each([
    ['full-width characters', 'ａｄａ＠example.com', 'ada@example.com'],
    ['blanks and capitals', '  Ada@Example.COM ', 'ada@example.com'],
    ['a domain with letters of other alphabets', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('%s have one form', (_kind, text, address) => {
    expect(readAddress(text)).toBe(address)
  })

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada\u202e@example.com',
    'ädä@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('%j is rejected', (text) => {
    expect(readAddress(text)).toBeNull()
  })
})
