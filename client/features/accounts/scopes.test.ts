import { describe, expect, it } from 'vitest'
import { providers } from '../../../worker/features/social/providers/providers.ts'
import { inGroups } from './scopes.ts'

describe('inGroups', () => {
  it('lists each group once, in one order, and keeps unknown scopes', () => {
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
