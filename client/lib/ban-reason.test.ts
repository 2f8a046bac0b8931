import { expect, it } from 'vitest'
import { givenReason } from './ban-reason.ts'

it('a reason is what somebody gave, and ends no sentence of its own', () => {
  expect(['Spam', ' Three warnings. ', 'No reason', '', null, undefined].map(givenReason)).toEqual([
    'Spam',
    'Three warnings',
    '',
    '',
    '',
    '',
  ])
})
