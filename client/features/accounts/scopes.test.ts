import { describe, expect, it } from 'vitest'
import { providers } from '../../../worker/features/social/providers.ts'
import { inGroups } from './scopes.ts'

describe('inGroups', () => {
  it('tells each thing once, in one order, and keeps what it does not know', () => {
    expect(inGroups(['offline_access', 'profile', 'calendar.read', 'email', 'openid'])).toEqual({
      known: ['profile', 'email', 'lasting'],
      others: ['calendar.read'],
    })
  })

  it.each(Object.values(providers).map(({ id, scopes }) => [id, scopes]))(
    'has words for all that %s is asked for',
    (_, scopes) => {
      expect(inGroups(scopes).others).toEqual([])
    },
  )
})
