import { expect, it } from 'vitest'
import { codeIn } from './code-in.ts'

it.each([
  ['123456', '123456'],
  [' 123 456\n', '123456'],
  ['123-456', '123456'],
  ['Your code is 123 456. It is valid for 5 minutes.', '123456'],
  ['Gatehouse: 123456 ist dein Code.\n\n@localhost #123456', '123456'],
  ['رمزك هو 123456.', '123456'],
  ['コードは123456です', '123456'],
  ['12345', null],
  ['1234567', null],
  ['+49 123 456', null],
  ['123456 or 654321', null],
  ['https://example.com/123456', null],
  ['abc123456', null],
])('%j has the code %j', (text, code) => {
  expect(codeIn(text, 6)).toBe(code)
})

it('has the length of the configuration', () => {
  expect(codeIn('Code: 1234 5678', 8)).toBe('12345678')
  expect(codeIn('Code: 123456', 8)).toBeNull()
})
