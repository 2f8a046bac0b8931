import { describe, expect, it } from 'vitest'
import type { Roles } from '../../worker/kit/permissions.ts'
import { administersAnything, administratorMay, rolesThatCan } from './permissions.ts'

it('names the roles that allow something', () => {
  const roles: Roles = {
    owner: { organization: ['update', 'delete'], invitation: ['create', 'cancel'] },
    admin: { organization: ['update'], invitation: ['create', 'cancel'] },
    clerk: { invoice: ['create', 'delete'], member: ['create'] },
    none: {},
  }
  expect(rolesThatCan(roles, { invitation: ['create'] })).toEqual(['owner', 'admin'])
  expect(rolesThatCan(roles, { organization: ['delete'] })).toEqual(['owner'])
})

describe('administrators of the whole application', () => {
  const known: Roles = { admin: { user: ['list', 'ban'], audit: ['list'] }, moderator: { user: ['list'] }, user: {} }

  it('are those whose roles allow anything', () => {
    expect(
      ['admin', 'user,moderator', 'user', 'wizard', '__proto__', ''].map((held) => administersAnything(known, held)),
    ).toEqual([true, true, false, false, false, false])
  })

  it('may do what their roles allow; the server decides for those without such a role', () => {
    const may = (held: string) => administratorMay(known, held, { audit: ['list'] })
    expect({ admin: may('admin'), moderator: may('user,moderator'), user: may('user') }).toEqual({
      admin: true,
      moderator: false,
      user: true,
    })
  })
})
