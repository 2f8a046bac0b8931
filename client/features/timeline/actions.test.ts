import { expect, it } from 'vitest'
import { actionsLike, choiceOf } from './actions.ts'

it('a choice of the filter has all actions with its words, as many as the Worker accepts', () => {
  expect(actionsLike('admin.ban-user')).toBe('ban-user,admin.ban-user,server.ban-user')
  expect(choiceOf('server.ban-user')).toBe(choiceOf('ban-user'))
  expect([choiceOf(''), actionsLike('of-another-version')]).toEqual(['', 'of-another-version'])
})
