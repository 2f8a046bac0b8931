import { expect, it } from 'vitest'
import { inWords } from './in-words.ts'

it.each([
  [300, '5 minutes', '5 Minuten'],
  [3600, '1 hour', '1 Stunde'],
  [5400, '90 minutes', '90 Minuten'],
  [172_800, '2 days', '2 Tage'],
  [45, '45 seconds', '45 Sekunden'],
])('%d seconds are %s', (duration, english, german) => {
  expect([inWords(duration, 'en'), inWords(duration, 'de')]).toEqual([english, german])
})
