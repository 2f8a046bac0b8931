import { expect, it } from 'vitest'
import { relativeTime } from './time.tsx'

const now = Date.parse('2026-06-15T12:00:00Z')

it.each([
  ['2026-06-15T11:59:30Z', 'just now'],
  ['2026-06-15T11:58:00Z', '2 minutes ago'],
  ['2026-06-15T09:00:00Z', '3 hours ago'],
  ['2026-06-14T11:00:00Z', 'yesterday'],
  ['2026-06-17T13:00:00Z', 'in 2 days'],
  // An invitation that has just been sent.
  ['2026-06-17T11:59:58Z', 'in 2 days'],
  ['2026-06-15T13:40:00Z', 'in 2 hours'],
  ['2026-06-16T00:30:00Z', 'in 13 hours'],
  ['2024-06-01T12:00:00Z', '2 years ago'],
])('%s is %s', (date, words) => {
  expect(relativeTime(new Date(date), now, 'en')).toBe(words)
})

it('shows German', () => {
  expect(relativeTime(new Date('2026-06-15T09:00:00Z'), now, 'de')).toBe('vor 3 Stunden')
})
