import { describe, expect, it } from 'vitest'
import { defaultRoles } from '../../worker/features/organization/membership/default-roles.ts'
import { mayDo, mayGrant as mayGrantByServer, type Permissions, type Roles } from '../../worker/kit/permissions.ts'
import { administersAnything, administratorMay, can, mayGrant, rolesThatCan } from './permissions.ts'

const roles: Roles = {
  ...defaultRoles,
  clerk: { invoice: ['create', 'delete'], member: ['create'] },
  nobody: {},
}

const names = [...Object.keys(roles), 'wizard', 'OWNER', '__proto__', 'constructor', '']
const helds = [...names, ...names.flatMap((one) => names.map((other) => `${one},${other}`)), ' owner ', ',,admin, ']

const actions = ['create', 'update', 'delete', 'cancel', 'fly', 'name']
const resources = ['organization', 'member', 'invitation', 'team', 'invoice', 'spaceship', 'constructor']
const singles: Permissions[] = resources.flatMap((resource) => [
  { [resource]: [] },
  ...actions.map((action) => ({ [resource]: [action] })),
  { [resource]: ['create', 'delete'] },
])
const wishes: Permissions[] = [
  {},
  ...singles,
  ...singles.flatMap((one) => singles.map((other) => ({ ...one, ...other }))),
]

describe('can', () => {
  it('decides like the server, for every set of roles and every wish', () => {
    for (const held of helds) {
      for (const wanted of wishes) {
        if (can(roles, held, wanted) !== mayDo(roles, held, wanted)) expect.unreachable(JSON.stringify([held, wanted]))
      }
    }
    expect(helds.length * wishes.length).toBeGreaterThan(100_000)
  })

  it('names the roles that allow something', () => {
    expect(rolesThatCan(roles, { invitation: ['create'] })).toEqual(['owner', 'admin'])
    expect(rolesThatCan(roles, { organization: ['delete'] })).toEqual(['owner'])
  })
})

describe('mayGrant', () => {
  it('decides like the server, for every two sets of roles', () => {
    for (const held of helds) {
      for (const given of helds) {
        const decided = mayGrant(roles, 'owner', held, given)
        if (decided !== mayGrantByServer(roles, 'owner', held, given)) {
          expect.unreachable(JSON.stringify([held, given]))
        }
      }
    }
  })
})

describe('administrators of the whole application', () => {
  const known: Roles = { admin: { user: ['list', 'ban'], audit: ['list'] }, moderator: { user: ['list'] }, user: {} }

  it('are those whose roles allow anything', () => {
    expect(
      ['admin', 'user,moderator', 'user', 'wizard', '__proto__', ''].map((held) => administersAnything(known, held)),
    ).toEqual([true, true, false, false, false, false])
  })

  it('may do what their roles allow; without a role that tells, the server decides', () => {
    const may = (held: string) => administratorMay(known, held, { audit: ['list'] })
    expect([may('admin'), may('user,moderator'), may('user')]).toEqual([true, false, true])
  })
})
