import { describe, expect, it } from 'vitest'
import { languageOf } from './language.ts'

describe('languageOf', () => {
  it.each([
    [null, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-CH, de;q=0.9, en;q=0.8', 'de'],
    ['en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['en;q=0.2, de;q=0.8', 'de'],
    ['en ; q=0.2 , de ; q=0.3', 'de'],
    ['de;q=0.5, en;q=0.5', 'de'],
    ['en;q=0.5, de;q=0.5', 'en'],
    ['nl-NL, nl;q=0.9, de;q=0.3', 'de'],
    ['nl', 'en'],
    ['fr-CA', 'fr'],
    ['pt-PT', 'pt-BR'],
    ['zh-Hant-TW, en;q=0.5', 'zh-CN'],
    ['PT-br', 'pt-BR'],
    ['nl, *;q=0.5', 'en'],
    ['*, de;q=0.9', 'en'],
    ['*;q=0.1, de;q=0.9', 'de'],
    ['de;q=0', 'en'],
    ['de;q=0.000, nl', 'en'],
    ['de;q=nonsense', 'en'],
    ['de;q=2', 'en'],
    ['de;q=1.000', 'de'],
    ['den, eng', 'en'],
    ['constructor, __proto__', 'en'],
    [';;;,,,q=1', 'en'],
  ])('of %j is %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})
