import { expect, it } from 'vitest'
import { errorSentences, normalCode } from '../../worker/kit/error-sentences.ts'

it.each([
  ["email_doesn't_match", 'email_doesnt_match'],
  ['EXPIRED_TOKEN', 'expired_token'],
  ['oAuth_code_missing', 'oauth_code_missing'],
  ['account not linked', 'account_not_linked'],
])('%s has a sentence', (code, key) => {
  expect(normalCode(code)).toBe(key)
  expect(errorSentences.english[key]).toBeTruthy()
})
