import { describe, expect, it } from 'vitest'
import { money } from './money.ts'

describe('money', () => {
  it('from right to left keeps the letters of a currency and its "$" together', () => {
    expect(money(1900, 'usd', 'ar', 'short')).toContain('US$\u200e')
    expect(money(1900, 'usd', 'de', 'short')).not.toContain('\u200e')
  })
})
