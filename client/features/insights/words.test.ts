import { describe, expect, it } from 'vitest'
import { type RiskReason, riskLevels } from '../../../worker/identity/model/risk.ts'
import { translations, wordsOf } from '../../languages/english.ts'
import { inList } from '../../lib/in-list.ts'
import { textsOf } from '../../lib/texts/define.ts'
import { timelineTexts } from '../timeline/timeline.texts.ts'
import { assessed } from './reasons.ts'
import { threatTexts } from './threats.texts.ts'

/** The type requires each reason but the product's own. Readers do not see those about passwords. */
const reasons: Record<Exclude<RiskReason, `product:${string}` | 'common-password' | 'sprayed-password'>, true> = {
  ...{ 'new-device': true, 'new-account-use': true, 'new-country': true, 'new-network': true, 'new-region': true },
  ...{ 'impossible-travel': true, 'long-unused': true, 'new-password': true, 'false-user-agent': true },
  ...{ 'attacked-network': true, 'raised-level': true, 'organization-rule': true },
}

const textsIn = (language: (typeof translations)[number] | 'en') => {
  const words = language === 'en' ? {} : wordsOf(language, 'client')
  return { threats: textsOf(threatTexts, language, words), timeline: textsOf(timelineTexts, language, words) }
}

describe.each(['en', ...translations] as const)('the assessment of a sign-in, in %s', (language) => {
  const { threats } = textsIn(language)
  const english = textsIn('en').threats

  it('has different words for each level, of the language', () => {
    const levels = riskLevels.filter((level) => level !== 'nothing')
    expect(Object.keys(assessed)).toEqual(levels)
    const words = levels.map((level) => threats.series[assessed[level]])
    expect(new Set(words).size).toBe(levels.length)
    for (const level of levels) {
      expect(threats.series[assessed[level]]).toMatch(/\p{L}/u)
      if (language !== 'en') expect(threats.series[assessed[level]]).not.toBe(english.series[assessed[level]])
    }
  })

  it('has different words for each reason, of the language', () => {
    expect(Object.keys(threats.reasons).sort()).toEqual(Object.keys(reasons).sort())
    const words = Object.values(threats.reasons)
    expect(new Set(words).size).toBe(words.length)
    for (const [reason, word] of Object.entries(threats.reasons)) {
      expect(word).not.toBe(reason)
      if (language !== 'en') expect(word).not.toBe(english.reasons[reason])
    }
    expect(threats.reasonOfProduct('odd-hour')).toContain('odd-hour')
  })
})

describe('from right to left', () => {
  it('the comma of a repetition stays after words that end from left to right', () => {
    const { timeline } = textsIn('ar')
    // After a Latin letter the comma would be in its run: a mark of direction (U+200F) is before it.
    for (const count of [1, 2, 3, 11, 100]) expect(timeline.times('Google', count)).toMatch(/^Google\u200f، /)
  })

  it('a list has the words of the language between its parts', () => {
    const { threats } = textsIn('ar')
    const list = inList([threats.reasons['new-device']!, threats.reasons['new-country']!], 'ar')
    expect(list).toBe('جهاز جديد وبلد جديد')
  })
})
