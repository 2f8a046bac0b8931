import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { enterpriseUrn, groupUrn, patchOf, type ScimDirectory, scimDirectory, userUrn } from '../../../testing/scim.ts'

/** The requests that identity providers send, with the bodies of their documentation. */

const on = { rateLimit: { enabled: false }, enterprise: { enabled: true } }

/** What is done, the request, and the expected status and body. `{name}` is an id that an earlier row has kept. */
type Row = [what: string, request: string, body: unknown, status: number, wanted?: unknown, keep?: string]

async function send({ scim }: ScimDirectory, rows: readonly Row[], contentType: string): Promise<void> {
  const ids = new Map<string, string>()
  const filled = <T>(value: T): T =>
    value === undefined
      ? value
      : JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (found, name) => ids.get(name) ?? found))
  for (const [what, request, body, status, wanted, keep] of rows) {
    const [method, path] = filled(request).split(/ (.*)/s) as [string, string]
    const answer = await scim(method, encodeURI(path), filled(body), { 'content-type': contentType })
    expect({ what, status: answer.status, body: answer.body }).toMatchObject({
      ...{ what, status },
      ...(wanted === undefined ? {} : { body: filled(wanted) }),
    })
    if (keep) ids.set(keep, answer.body.id)
  }
}

const foundIds = (...ids: string[]) => ({ totalResults: ids.length, Resources: ids.map((id) => ({ id })) })
const members = (...ids: string[]) => ({ members: ids.map((value) => ({ value })) })
const none = { totalResults: 0, itemsPerPage: 0, startIndex: 1, Resources: [] }

describe('the requests of identity providers', () => {
  // learn.microsoft.com/entra/identity/app-provisioning: use-scim-to-provision-users-and-groups,
  // application-provisioning-config-problem-scim-compatibility, scim-validator-tutorial.
  it('Entra ID', async () => {
    const directory = await scimDirectory(new TestApp(on), 'acme', null)
    const grace = { schemas: [userUrn], userName: 'grace@testuser.com', active: true }
    const user = {
      schemas: [userUrn, enterpriseUrn],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_00aa@testuser.com',
      active: 'True',
      emails: [
        { primary: 'True', type: 'work', value: 'test@testuser.com' },
        { type: 'home', value: 'home@testuser.com' },
      ],
      meta: { resourceType: 'User' },
      name: { formatted: 'given family', familyName: 'family', givenName: 'given' },
      roles: [],
      addresses: null,
      department: null,
      manager: null,
    }
    const group = {
      schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    }
    const member = (id: string) => [{ $ref: null, value: id }]
    await send(
      directory,
      [
        [
          'tests the connection',
          'GET /Users?filter=userName eq "6f1f4c4e-1b1a-4f0b-9a58-2f0f6d8b9f3a"',
          undefined,
          200,
          none,
        ],
        ['reads a random user', 'GET /Users/6f1f4c4e-1b1a-4f0b-9a58-2f0f6d8b9f3a', undefined, 404],
        ['creates the manager', 'POST /Users', grace, 201, { userName: 'grace@testuser.com' }, 'boss'],
        ['creates a user', 'POST /Users', user, 201, { active: true, emails: [{ primary: true }, {}] }, 'user'],
        ['creates it again', 'POST /Users', { ...user, userName: 'TEST_USER_00AA@testuser.com' }, 409],
        [
          'finds it by name',
          'GET /Users?filter=userName eq "test_user_00aa@TESTUSER.com"',
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'finds it by id of Entra',
          `GET /Users?filter=externalId eq "${user.externalId}"`,
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'finds it, without quotes',
          `GET /Users?filter=externalId eq ${user.externalId}`,
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'finds it by address',
          'GET /Users?filter=emails[type eq "work"].value eq "test@testuser.com"',
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'relates type and address',
          'GET /Users?filter=emails[type eq "work"].value eq "home@testuser.com"',
          undefined,
          200,
          none,
        ],
        [
          'joins them',
          'GET /Users?filter=emails[type eq "home" or type eq "other"].value eq "home@testuser.com" and active eq True',
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'replaces attributes one by one',
          'PATCH /Users/{user}',
          patchOf(
            { op: 'Replace', path: 'displayName', value: 'Pvlo' },
            { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@testuser.com' },
            { op: 'Replace', path: 'name.familyName', value: 'updated' },
            { op: 'Replace', path: 'externalId', value: 'Eqpj' },
            { op: 'Replace', path: `${enterpriseUrn}:employeeNumber`, value: 7 },
            { op: 'Add', path: 'nickName', value: 'Babs' },
            { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Role' },
            { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555' },
            { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Bern' },
          ),
          200,
          {
            displayName: 'Pvlo',
            emails: [{ type: 'work', value: 'updated@testuser.com', primary: true }, { type: 'home' }],
            name: { familyName: 'updated', givenName: 'given' },
            externalId: 'Eqpj',
            nickName: 'Babs',
            roles: [{ primary: true, value: 'Role' }],
            phoneNumbers: [{ type: 'mobile', value: '555' }],
            addresses: [{ type: 'work', locality: 'Bern' }],
            [enterpriseUrn]: { employeeNumber: '7' },
          },
        ],
        [
          'replaces attributes without a path (aadOptscim062020)',
          'PATCH /Users/{user}',
          patchOf(
            { op: 'replace', path: 'emails[type eq "work"].value', value: 'second@testuser.com' },
            {
              op: 'replace',
              value: { displayName: 'Bjfe', 'name.givenName': 'Kkom', [`${enterpriseUrn}:employeeNumber`]: 'A' },
            },
          ),
          200,
          {
            emails: [{ value: 'second@testuser.com' }, {}],
            displayName: 'Bjfe',
            name: { givenName: 'Kkom', familyName: 'updated' },
            [enterpriseUrn]: { employeeNumber: 'A' },
          },
        ],
        [
          'asks for the manager',
          'GET /Users?filter=id eq "{user}" and manager eq "{boss}"&attributes=id',
          undefined,
          200,
          none,
        ],
        [
          'adds the manager without the extension',
          'PATCH /Users/{user}',
          patchOf({
            op: 'Add',
            path: 'manager',
            value: [{ $ref: 'http://x.example/scim/Users/{boss}', value: '{boss}' }],
          }),
          200,
          { schemas: [userUrn, enterpriseUrn], [enterpriseUrn]: { manager: { value: '{boss}' } } },
        ],
        [
          'asks again',
          'GET /Users?filter=manager eq "{boss}" and id eq "{user}"&attributes=id',
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'replaces the manager by its id',
          'PATCH /Users/{user}',
          patchOf({ op: 'Replace', path: `${enterpriseUrn}:manager`, value: 'b2' }),
          200,
          { [enterpriseUrn]: { manager: { value: 'b2' } } },
        ],
        [
          'removes the manager',
          'PATCH /Users/{user}',
          patchOf({ op: 'Remove', path: `${enterpriseUrn}:manager` }),
          200,
          { [enterpriseUrn]: { employeeNumber: 'A' } },
        ],
        [
          'renames the user',
          'PATCH /Users/{user}',
          patchOf({ op: 'Replace', path: 'userName', value: '5b50@testuser.com' }),
          200,
          { userName: '5b50@testuser.com' },
        ],
        [
          'disables the user',
          'PATCH /Users/{user}',
          patchOf({ op: 'Replace', path: 'active', value: 'False' }),
          200,
          { active: false },
        ],
        [
          'enables the user',
          'PATCH /Users/{user}',
          patchOf({ op: 'Replace', path: 'active', value: 'True' }),
          200,
          { active: true },
        ],
        [
          'disables the user with a boolean',
          'PATCH /Users/{user}',
          patchOf({ op: 'replace', path: 'active', value: false }),
          200,
          { active: false },
        ],
        [
          'creates a group',
          'POST /Groups',
          group,
          201,
          { displayName: 'displayName', externalId: group.externalId },
          'group',
        ],
        [
          'reads it without members',
          'GET /Groups/{group}?excludedAttributes=members',
          undefined,
          200,
          { id: '{group}' },
        ],
        [
          'finds it by name',
          'GET /Groups?excludedAttributes=members&filter=displayName eq "displayName"',
          undefined,
          200,
          foundIds('{group}'),
        ],
        [
          'renames the group',
          'PATCH /Groups/{group}',
          patchOf({ op: 'Replace', path: 'displayName', value: '1879' }),
          204,
          '',
        ],
        [
          'adds a member',
          'PATCH /Groups/{group}',
          patchOf({ op: 'Add', path: 'members', value: member('{user}') }),
          204,
          '',
        ],
        [
          'adds another one',
          'PATCH /Groups/{group}',
          patchOf({ op: 'Add', path: 'members', value: member('{boss}') }),
          204,
          '',
        ],
        [
          'asks for a membership',
          'GET /Groups?filter=id eq "{group}" and members eq "{user}"&attributes=id',
          undefined,
          200,
          foundIds('{group}'),
        ],
        [
          'removes a member by value',
          'PATCH /Groups/{group}',
          patchOf({ op: 'Remove', path: 'members', value: member('{user}') }),
          204,
          '',
        ],
        ['keeps the other one', 'GET /Groups/{group}', undefined, 200, members('{boss}')],
        [
          'removes a member by path',
          'PATCH /Groups/{group}',
          patchOf({ op: 'remove', path: 'members[value eq "{boss}"]' }),
          204,
          '',
        ],
        ['asks for the membership', 'GET /Groups?filter=members.value eq "{boss}"', undefined, 200, none],
        ['deletes the group', 'DELETE /Groups/{group}', undefined, 204],
        ['deletes the user', 'DELETE /Users/{user}', undefined, 204],
        ['deletes it again', 'DELETE /Users/{user}', undefined, 404],
      ],
      'application/scim+json; charset=utf-8',
    )
  })

  // developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20.
  it('Okta', async () => {
    const directory = await scimDirectory(new TestApp(on), 'acme', null)
    const user = {
      schemas: [userUrn],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', middleName: '', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const { password: _, groups: __, ...shown } = user
    const put = { ...user, id: '{user}', name: { ...user.name, givenName: 'Another' }, meta: { resourceType: 'User' } }
    const active = (value: boolean) => patchOf({ op: 'replace', value: { active: value } })
    const member = (id: string) => ({ value: id, display: 'test.user@okta.local' })
    await send(
      directory,
      [
        ['tests the connection', 'GET /Users?startIndex=1&count=2', undefined, 200, none],
        ['imports no groups', 'GET /Groups?startIndex=1&count=100', undefined, 200, none],
        [
          'looks for the user',
          'GET /Users?filter=userName eq "test.user@okta.local"&startIndex=1&count=100',
          undefined,
          200,
          none,
        ],
        ['creates the user', 'POST /Users', user, 201, shown, 'user'],
        ['creates it again', 'POST /Users', user, 409, { status: '409', scimType: 'uniqueness' }],
        [
          'finds the user',
          'GET /Users?filter=userName eq "Test.User@okta.local"&startIndex=1&count=100',
          undefined,
          200,
          foundIds('{user}'),
        ],
        [
          'updates the profile with PUT',
          'PUT /Users/{user}',
          put,
          200,
          { name: { givenName: 'Another' }, displayName: 'Test User' },
        ],
        ['stores no password', 'GET /Users/{user}', undefined, 200, { ...shown, name: put.name }],
        ['deactivates with PATCH', 'PATCH /Users/{user}', active(false), 200, { active: false }],
        ['activates with PATCH', 'PATCH /Users/{user}', active(true), 200, { active: true }],
        [
          'synchronizes a password',
          'PATCH /Users/{user}',
          patchOf({ op: 'replace', value: { password: 'x' } }),
          200,
          { active: true },
        ],
        ['deactivates with PUT', 'PUT /Users/{user}', { ...put, active: false }, 200, { active: false }],
        [
          'keeps it with a PUT without active',
          'PUT /Users/{user}',
          { ...put, active: undefined },
          200,
          { active: false },
        ],
        [
          'creates another user',
          'POST /Users',
          { ...user, userName: 'b@okta.local', externalId: 'x' },
          201,
          {},
          'other',
        ],
        [
          'imports page 1',
          'GET /Users?startIndex=1&count=1',
          undefined,
          200,
          { totalResults: 2, itemsPerPage: 1, startIndex: 1 },
        ],
        [
          'imports page 2',
          'GET /Users?startIndex=2&count=1',
          undefined,
          200,
          { totalResults: 2, itemsPerPage: 1, startIndex: 2 },
        ],
        [
          'imports page 3',
          'GET /Users?startIndex=3&count=1',
          undefined,
          200,
          { totalResults: 2, itemsPerPage: 0, Resources: [] },
        ],
        [
          'pushes a group',
          'POST /Groups',
          { schemas: [groupUrn], displayName: 'Test SCIMv2', members: [] },
          201,
          { displayName: 'Test SCIMv2' },
          'group',
        ],
        [
          'renames it with PATCH',
          'PATCH /Groups/{group}',
          patchOf({ op: 'replace', value: { id: '{group}', displayName: 'New' } }),
          204,
          '',
        ],
        [
          'adds a member',
          'PATCH /Groups/{group}',
          patchOf({ op: 'add', path: 'members', value: [member('{user}')] }),
          204,
          '',
        ],
        [
          'exchanges members',
          'PATCH /Groups/{group}',
          patchOf(
            { op: 'remove', path: 'members[value eq "{user}"]' },
            { op: 'add', path: 'members', value: [member('{other}')] },
          ),
          204,
        ],
        ['reads the group', 'GET /Groups/{group}', undefined, 200, { displayName: 'New', ...members('{other}') }],
        [
          'replaces all members',
          'PATCH /Groups/{group}?attributes=members',
          patchOf({ op: 'replace', path: 'members', value: [member('{user}')] }),
          200,
          members('{user}'),
        ],
        [
          'replaces the group with PUT',
          'PUT /Groups/{group}',
          { schemas: [groupUrn], displayName: 'PUT', members: [member('{other}')] },
          200,
          { displayName: 'PUT', ...members('{other}') },
        ],
        ['empties the group', 'PATCH /Groups/{group}', patchOf({ op: 'replace', path: 'members', value: [] }), 204],
        ['has no members', 'GET /Groups?filter=members.value pr', undefined, 200, none],
        ['unlinks the group', 'DELETE /Groups/{group}', undefined, 204],
      ],
      'application/scim+json; charset=utf-8',
    )
  })

  // Google documents no bodies. The client sends JSON as application/json, users without groups, and whole attributes.
  it('Google Workspace', async () => {
    const directory = await scimDirectory(new TestApp(on), 'acme', null)
    const user = {
      schemas: [userUrn, enterpriseUrn],
      externalId: '108',
      userName: 'g@x.example',
      active: true,
      emails: [{ value: 'g@x.example', type: 'work', primary: true }],
      name: { givenName: 'G', familyName: 'W' },
      [enterpriseUrn]: { department: 'Sales' },
    }
    await send(
      directory,
      [
        [
          'looks for the user',
          'GET /Users?filter=userName eq "g@x.example"&startIndex=1&count=1',
          undefined,
          200,
          none,
        ],
        ['creates the user', 'POST /Users', user, 201, user, 'user'],
        [
          'replaces attributes',
          'PATCH /Users/{user}',
          patchOf(
            { op: 'replace', path: 'name', value: { familyName: 'X' } },
            { op: 'replace', path: 'emails', value: [{ value: 'g2@x.example', type: 'work', primary: true }] },
          ),
          200,
          { name: { givenName: 'G', familyName: 'X' }, emails: [{ value: 'g2@x.example' }] },
        ],
        ['replaces the user', 'PUT /Users/{user}', { ...user, id: '{user}' }, 200, user],
        [
          'suspends the user',
          'PATCH /Users/{user}',
          patchOf({ op: 'replace', path: 'active', value: false }),
          200,
          { active: false },
        ],
        ['activates the user', 'PUT /Users/{user}', user, 200, { active: true }],
        ['deletes the user', 'DELETE /Users/{user}', undefined, 204],
      ],
      'application/json; charset=UTF-8',
    )
  })
})
