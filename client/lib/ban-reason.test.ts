import { expect, it } from 'vitest'
import { givenReason } from './ban-reason.ts'

it('a reason is the given one, without a full stop', () => {
  expect(['Spam', ' Three warnings. ', 'No reason', '', null, undefined].map(givenReason)).toEqual([
    'Spam',
    'Three warnings',
    '',
    '',
    '',
    '',
  ])
})
