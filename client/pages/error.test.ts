import { expect, it } from 'vitest'
import { errorTexts, normalCode } from './error.texts.ts'

it.each([
  ["email_doesn't_match", 'email_doesnt_match'],
  ['EXPIRED_TOKEN', 'expired_token'],
  ['oAuth_code_missing', 'oauth_code_missing'],
  ['account not linked', 'account_not_linked'],
])('%s has a sentence in every language', (code, key) => {
  expect(normalCode(code)).toBe(key)
  expect(errorTexts.en.sentences[key]).toBeTruthy()
  expect(errorTexts.de.sentences[key]).toBeTruthy()
})

it('has the same codes in every language', () => {
  expect(Object.keys(errorTexts.de.sentences).sort()).toEqual(Object.keys(errorTexts.en.sentences).sort())
})
