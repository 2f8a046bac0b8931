import { describe, expect, it } from 'vitest'
import { fill } from './texts.ts'

describe('a value in a text', () => {
  it.each([
    ['ada@people.example', '\u2068ada@people.example\u2069'],
    ['Chrome 131 (macOS)', '\u2068Chrome 131 (macOS)\u2069'],
    ['Set up › SAML', '\u2068Set up › SAML\u2069'],
    // Words, numbers and what begins from right to left keep their order without it, and programs recognize links.
    ['Ada Lovelace', 'Ada Lovelace'],
    ['418293', '418293'],
    ['محمد (Acme)', 'محمد (Acme)'],
    ['https://accounts.example.com/a', 'https://accounts.example.com/a'],
  ])('from right to left: %s', (value, shown) => {
    expect(fill('إلى {value}.', { value }, 'ar')).toBe(`إلى ${shown}.`)
    expect(fill('To {value}.', { value }, 'en')).toBe(`To ${value}.`)
  })
})
