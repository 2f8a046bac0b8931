import { expect, it } from 'vitest'
import { strengthOf } from './password-field.tsx'

it.each([
  ['abc', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['12345678', 'weak'],
  ['password', 'weak'],
  ['tr4verse-Kn', 'fair'],
  ['correct horse battery staple', 'strong'],
])('%s is %s', (text, level) => {
  expect(strengthOf(text, 8)).toBe(level)
})
