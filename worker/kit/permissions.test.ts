import { describe, expect, it } from 'vitest'
import { hasRole, mayDo, mayGrant, readRoles, splitRoles } from './permissions.ts'

const roles = {
  owner: { organization: ['update', 'delete'], member: ['create'] },
  admin: { organization: ['update'], member: ['create'] },
  clerk: { invoice: ['create'] },
  member: {},
}

describe('readRoles', () => {
  it.each([
    ['admin', 'admin'],
    [' admin , member', 'admin,member'],
    [['admin', 'member,clerk'], 'admin,member,clerk'],
    ['admin,admin,,', 'admin'],
    [' owner', 'owner'],
  ])('%j is %j', (given, read) => {
    expect(readRoles(roles, given)).toBe(read)
  })

  it.each(['', ' , ', 'OWNER', 'wizard', 'admin,wizard', 'constructor', '__proto__', 'ad min'])(
    '%j is refused',
    (given) => {
      expect(readRoles(roles, given)).toBeNull()
    },
  )

  it('refuses an empty list', () => {
    expect(readRoles(roles, [])).toBeNull()
  })
})

describe('mayDo', () => {
  it.each([
    ['owner', { organization: ['delete'] }, true],
    ['admin', { organization: ['delete'] }, false],
    ['admin', { organization: ['update'], member: ['create'] }, true],
    ['admin', { organization: ['update', 'delete'] }, false],
    ['member,admin', { organization: ['update'] }, true],
    // One role must allow all actions. Two roles that allow half of them each are not sufficient.
    ['admin,clerk', { organization: ['update'], invoice: ['create'] }, false],
    ['owner', {}, false],
    ['owner', { spaceship: ['fly'] }, false],
    ['owner', { constructor: ['name'] }, false],
    ['wizard', { organization: ['update'] }, false],
    ['constructor', { name: [] }, false],
  ])('%s %j: %s', (held, wanted, allowed) => {
    expect(mayDo(roles, held, wanted as Record<string, string[]>)).toBe(allowed)
  })
})

it('hasRole compares whole names', () => {
  expect(hasRole('coowner,admin', 'owner')).toBe(false)
  expect(hasRole('admin,owner', 'owner')).toBe(true)
  expect(splitRoles('a, b')).toEqual(['a', 'b'])
})

describe('mayGrant', () => {
  const known = {
    owner: { organization: ['delete'] },
    admin: { member: ['update', 'delete'], invitation: ['create'] },
    clerk: { member: ['update'] },
    sender: { invitation: ['create'] },
    cashier: { invoice: ['create'] },
    member: { member: [] },
  }
  it.each([
    ['owner', 'owner', true],
    ['owner', 'cashier', true],
    ['admin', 'owner', false],
    ['admin', 'member,owner', false],
    ['admin', 'admin', true],
    ['admin', 'clerk,sender', true],
    ['admin', 'cashier', false],
    ['clerk', 'admin', false],
    ['clerk', 'member', true],
    ['clerk,sender', 'admin', false],
    ['clerk,sender', 'sender,clerk', true],
    ['member', 'clerk', false],
    ['member', 'gone', true],
    ['gone', 'clerk', false],
    ['constructor', 'clerk', false],
    ['', 'member', true],
  ])('%s over %s: %s', (held, given, may) => {
    expect(mayGrant(known, 'owner', held, given)).toBe(may)
  })
})
