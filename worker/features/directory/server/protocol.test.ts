import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { updateRows } from '../../../testing/rows.ts'
import { enterpriseUrn, groupUrn, patchOf, scimClient, scimDirectory, userUrn } from '../../../testing/scim.ts'

const on = { rateLimit: { enabled: false }, enterprise: { enabled: true } }

const error = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType ? { scimType } : {}),
    detail: expect.any(String),
  },
})

describe('the discovery of a directory (scim2-tester: discovery)', () => {
  it('describes itself, refuses other methods with 405, and unknown paths and ids with a SCIM error', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const config = await scim('GET', '/ServiceProviderConfig')
    expect(config.headers.get('content-type')).toBe('application/scim+json')
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 20 },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
      pagination: { cursor: true, index: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    const types = (await scim('GET', '/ResourceTypes')).body
    expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
    for (const { id, schema, schemaExtensions = [] } of types.Resources) {
      expect((await scim('GET', `/ResourceTypes/${id}`)).body).toMatchObject({ id, schema })
      for (const urn of [schema, ...schemaExtensions.map((one: { schema: string }) => one.schema)]) {
        expect((await scim('GET', `/Schemas/${urn}`)).body.id).toBe(urn)
      }
    }
    const schemas = (await scim('GET', '/Schemas')).body
    expect(schemas.Resources.map(({ name }: { name: string }) => name)).toEqual([
      ...['User', 'EnterpriseUser', 'Group', 'ServiceProviderConfig', 'ResourceType', 'Schema'],
    ])
    for (const { id } of schemas.Resources) expect((await scim('GET', `/Schemas/${id}`)).body.id).toBe(id)
    for (const path of ['/Schemas/unknown', '/ResourceTypes/unknown', `/${crypto.randomUUID()}`, '/Users/unknown']) {
      expect(await scim('GET', path)).toMatchObject(error(404))
    }
    for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect(await scim(method, path, method === 'DELETE' ? undefined : {})).toMatchObject(error(405))
      }
    }
  })

  it('401 without the token of this connection, also for another connection; 403 while it is disabled', async () => {
    const app = new TestApp(on)
    const acme = await scimDirectory(app, 'acme', null)
    const beta = await scimDirectory(app, 'beta', null)
    const user = (await acme.scim('POST', '/Users', { schemas: [userUrn], userName: 'ada' })).body
    for (const token of ['', 'x', beta.token, `${acme.token.slice(0, -1)}x`]) {
      const foreign = scimClient(app, acme.connectionId, token)
      for (const [method, path, body] of [
        ['GET', '/Users', undefined],
        ['GET', `/Users/${user.id}`, undefined],
        ['PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', value: { active: false } })],
        ['DELETE', `/Users/${user.id}`, undefined],
        ['POST', '/Bulk', { Operations: [{ method: 'DELETE', path: `/Users/${user.id}` }] }],
      ] as const) {
        const refused = await foreign(method, path, body)
        expect(refused).toMatchObject(error(401))
        expect(refused.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
    // The directory of another connection does not see it, and no group of it has the user as a member.
    expect((await beta.scim('GET', '/Users')).body.totalResults).toBe(0)
    expect(await beta.scim('GET', `/Users/${user.id}`)).toMatchObject(error(404))
    expect(await beta.scim('DELETE', `/Users/${user.id}`)).toMatchObject(error(404))
    const naming = { schemas: [groupUrn], displayName: 'G', members: [{ value: user.id }] }
    expect(await beta.scim('POST', '/Groups', naming)).toMatchObject(error(400, 'invalidValue'))
    expect((await beta.scim('GET', '/Groups')).body.totalResults).toBe(0)
    await updateRows('connections', { state: 'disabled' }, { id: acme.connectionId })
    expect(await acme.scim('GET', '/Users')).toMatchObject(error(403))
  })
})

/** A value for each attribute of the schema, as scim2-tester fills them. */
const everything = {
  name: { formatted: 'Ms. Ada King', familyName: 'King', givenName: 'Ada', middleName: 'B', honorificPrefix: 'Ms.' },
  displayName: 'Ada',
  nickName: 'Ada',
  profileUrl: 'https://example.com/ada',
  title: 'Countess',
  userType: 'Employee',
  preferredLanguage: 'en-GB',
  locale: 'en-GB',
  timezone: 'Europe/London',
  active: true,
  emails: [{ value: 'ada@nowhere.example', type: 'work', primary: true }],
  phoneNumbers: [{ value: '5550001', type: 'work', primary: true }],
  ims: [{ value: 'ada', type: 'xmpp', primary: true }],
  photos: [{ value: 'https://example.com/a.png', type: 'photo', primary: true }],
  addresses: [{ formatted: '1 Street', locality: 'London', type: 'work', primary: true }],
  entitlements: [{ value: 'e1', primary: true }],
  roles: [{ value: 'r1', primary: true }],
  x509Certificates: [{ value: 'AQID', primary: true }],
}
const extension = { employeeNumber: '7', costCenter: 'c', organization: 'o', division: 'd', department: 'x' }

describe('users (scim2-tester: crud, patch and query attributes)', () => {
  it('are created, read, listed, replaced and deleted; each attribute is added, replaced and removed by PATCH', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const created = await scim('POST', '/Users', {
      schemas: [userUrn, enterpriseUrn],
      userName: 'Ada',
      externalId: 'x1',
      unknown: 1,
      ...everything,
      [enterpriseUrn]: extension,
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        schemas: [userUrn, enterpriseUrn],
        userName: 'Ada',
        externalId: 'x1',
        ...everything,
        [enterpriseUrn]: extension,
      },
    })
    expect(created.body).not.toHaveProperty('unknown')
    const { id, meta } = created.body
    expect(created.headers.get('location')).toBe(meta.location)
    expect(created.headers.get('etag')).toBe('W/"1"')
    const read = await scim('GET', `/Users/${id}`)
    expect(read.body).toEqual(created.body)
    expect((await scim('GET', '/Users')).body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect(await scim('POST', '/Users', { userName: 'ADA' })).toMatchObject(error(409, 'uniqueness'))
    expect(await scim('POST', '/Users', { displayName: 'No name' })).toMatchObject(error(400, 'invalidValue'))
    expect(await scim('POST', '/Users', '{')).toMatchObject(error(400, 'invalidSyntax'))
    const replaced = await scim('PUT', `/Users/${id}`, { schemas: [userUrn], id, userName: 'Ada2', title: 'T' })
    expect(replaced).toMatchObject({ status: 200, body: { userName: 'Ada2', title: 'T', active: true } })
    expect(replaced.body).not.toHaveProperty('emails')
    expect(replaced.body).not.toHaveProperty('externalId')
    for (const [path, value] of [
      ...Object.entries(everything).map(([name, one]) => [name, one] as const),
      ...Object.entries(extension).map(([name, one]) => [`${enterpriseUrn}:${name}`, one] as const),
      [enterpriseUrn, extension] as const,
    ]) {
      const holder = (body: any) =>
        path === enterpriseUrn
          ? body[path]
          : path.startsWith('urn:')
            ? body[enterpriseUrn]?.[path.split(':').at(-1)!]
            : body[path]
      for (const op of ['add', 'replace']) {
        const { status, body } = await scim('PATCH', `/Users/${id}`, patchOf({ op, path, value }))
        expect({ op, path, status, value: holder(body) }).toEqual({ op, path, status: 200, value })
      }
      const removed = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path }))
      // Without `active`, a user is active.
      expect({ path, status: removed.status, value: holder(removed.body) }).toEqual({
        path,
        status: 200,
        value: undefined,
      })
    }
    expect(await scim('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: 'userName' }))).toMatchObject(
      error(400, 'invalidValue'),
    )
    expect(await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'id', value: 'x' }))).toMatchObject(
      error(400, 'mutability'),
    )
    expect(await scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'nothing', value: 'x' }))).toMatchObject(
      error(400, 'invalidPath'),
    )
    expect(await scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: '__proto__.x', value: 'x' }))).toMatchObject(
      error(400, 'invalidPath'),
    )
    expect(await scim('PATCH', `/Users/${id}`, patchOf({ op: 'remove' }))).toMatchObject(error(400, 'noTarget'))
    expect(await scim('PATCH', `/Users/${id}`, patchOf({ op: 'move', path: 'title' }))).toMatchObject(
      error(400, 'invalidSyntax'),
    )
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await scim('GET', `/Users/${id}`)).toMatchObject(error(404))
    expect(await scim('DELETE', `/Users/${id}`)).toMatchObject(error(404))
  })

  it('are found by filters, in pages of both styles, sorted, with the wanted attributes', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    for (const [userName, familyName, more] of [
      ['bea@x.example', 'Zöe', { active: false, title: 'CTO' }],
      [
        'ada@x.example',
        'King',
        {
          emails: [
            { value: 'Ada@Work.example', type: 'work' },
            { value: 'a@home.example', type: 'home' },
          ],
        },
      ],
      ['cyd@x.example', 'Able', { [enterpriseUrn]: { department: 'R&D', manager: { value: 'm1' } } }],
    ] as const) {
      await scim('POST', '/Users', { userName, externalId: `e-${userName}`, name: { familyName }, ...more })
    }
    const names = async (query: Record<string, string>) => {
      const { status, body } = await scim('GET', `/Users?${new URLSearchParams(query)}`)
      return status === 200
        ? body.Resources.map((one: { userName: string }) => one.userName.slice(0, 3))
        : body.scimType
    }
    for (const [filter, found] of [
      ['userName eq "ADA@x.example"', ['ada']],
      ['USERNAME Eq "ada@x.example"', ['ada']],
      [`${userUrn}:userName sw "C"`, ['cyd']],
      ['externalId eq "e-ada@x.example"', ['ada']],
      ['externalId eq "E-ada@x.example"', []],
      ['name.familyName co "IN"', ['ada']],
      ['name.familyName ew "le"', ['cyd']],
      ['name.familyName gt "b"', ['bea', 'ada']],
      ['active eq false', ['bea']],
      ['active eq "True" and not (userName sw "a")', ['cyd']],
      ['title pr', ['bea']],
      ['not (title pr)', ['ada', 'cyd']],
      ['title ne "CTO"', ['ada', 'cyd']],
      ['emails eq "ada@work.example"', ['ada']],
      ['emails.type eq "home"', ['ada']],
      ['emails[type eq "work" and value ew "home.example"]', []],
      ['emails[type eq "home" and value ew "home.example"] or title pr', ['bea', 'ada']],
      [`${enterpriseUrn}:department eq "r&d"`, ['cyd']],
      [`${enterpriseUrn}:manager.value eq "m1"`, ['cyd']],
      ['meta.created gt "2020-01-01T00:00:00Z"', ['bea', 'ada', 'cyd']],
      ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
      ['groups pr', []],
      ['userName eq', 'invalidFilter'],
      ['nothing eq "x"', 'invalidFilter'],
      ['active gt true', 'invalidFilter'],
      ['name eq "x"', 'invalidFilter'],
      ['meta.created gt "yesterday"', 'invalidFilter'],
      [`${'('.repeat(50)}title pr${')'.repeat(50)}`, 'invalidFilter'],
      [Array.from({ length: 30 }, () => 'title pr').join(' or '), 'invalidFilter'],
      ['userName eq "\' or 1=1 --"', []],
    ] as const) {
      // Users of the same millisecond have no order.
      const sorted = (list: unknown) => (Array.isArray(list) ? [...list].sort() : list)
      expect({ filter, found: sorted(await names({ filter })) }).toEqual({ filter, found: sorted(found) })
    }
    expect(await names({ sortBy: 'userName' })).toEqual(['ada', 'bea', 'cyd'])
    expect(await names({ sortBy: 'name.familyName', sortOrder: 'descending' })).toEqual(['bea', 'ada', 'cyd'])
    expect((await names({ sortBy: 'emails' })).at(-1)).toBe('ada')
    expect(await names({ sortBy: 'nothing' })).toBe('invalidPath')
    const page = await scim('GET', '/Users?startIndex=2&count=1&sortBy=userName')
    expect(page.body).toMatchObject({
      totalResults: 3,
      itemsPerPage: 1,
      startIndex: 2,
      Resources: [{ userName: 'bea@x.example' }],
    })
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: 3,
      itemsPerPage: 0,
      Resources: [],
    })
    expect(await scim('GET', '/Users?count=many')).toMatchObject(error(400, 'invalidValue'))
    // RFC 9865.
    const seen: string[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const query: string = new URLSearchParams({
        cursor,
        count: '1',
        sortBy: 'userName',
        sortOrder: 'descending',
      }).toString()
      const { body }: { body: any } = await scim('GET', `/Users?${query}`)
      seen.push(body.Resources[0].userName.slice(0, 3))
      cursor = body.nextCursor
    }
    expect(seen).toEqual(['cyd', 'bea', 'ada'])
    expect(await scim('GET', '/Users?cursor=x')).toMatchObject(error(400, 'invalidCursor'))
    const search = { filter: 'userName eq "ada@x.example"', attributes: ['emails.type', 'userName'] }
    expect((await scim('POST', '/Users/.search', search)).body.Resources).toEqual([
      {
        schemas: [userUrn],
        id: expect.any(String),
        userName: 'ada@x.example',
        emails: [{ type: 'work' }, { type: 'home' }],
      },
    ])
    const [without] = (await scim('GET', '/Users?excludedAttributes=emails,id,name.familyName&filter=emails pr')).body
      .Resources
    expect(without).toMatchObject({ id: expect.any(String), userName: 'ada@x.example' })
    expect(without).not.toHaveProperty('emails')
  })

  it('have versions: If-Match and If-None-Match decide, and parallel PATCHes are all applied', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const { id } = (await scim('POST', '/Users', { userName: 'ada' })).body
    const unmodified = await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"1"' })
    expect({ status: unmodified.status, body: unmodified.body }).toEqual({ status: 304, body: '' })
    const title = patchOf({ op: 'add', path: 'title', value: 'T' })
    expect(await scim('PATCH', `/Users/${id}`, title, { 'if-match': 'W/"9"' })).toMatchObject(error(412))
    expect((await scim('PATCH', `/Users/${id}`, title, { 'if-match': 'W/"1"' })).headers.get('etag')).toBe('W/"2"')
    expect(await scim('PUT', `/Users/${id}`, { userName: 'x' }, { 'if-match': 'W/"1"' })).toMatchObject(error(412))
    expect(await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"1"' })).toMatchObject(error(412))
    // The same PATCH again changes nothing.
    expect((await scim('PATCH', `/Users/${id}`, title)).headers.get('etag')).toBe('W/"2"')
    const values = ['a', 'b', 'c', 'd', 'e', 'f']
    const patched = await Promise.all(
      values.map((value) => scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'roles', value: [{ value }] }))),
    )
    expect(patched.map(({ status }) => status)).toEqual(values.map(() => 200))
    const { body } = await scim('GET', `/Users/${id}`)
    expect(body.roles.map(({ value }: { value: string }) => value).sort()).toEqual(values)
    expect(body.meta.version).toBe('W/"8"')
  })
})

describe('the requests of identity providers', () => {
  it('Entra ID: texts as booleans, capital op, paths in values, values that do not exist yet', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    expect((await scim('GET', `/Users?filter=userName eq "${crypto.randomUUID()}"`)).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const { id } = (
      await scim('POST', '/Users', {
        schemas: [userUrn, enterpriseUrn],
        externalId: '0a21f0f2',
        userName: 'Test_User@x.example',
        active: 'True',
        emails: [{ primary: 'true', type: 'work', value: 'test@x.example' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'given family', familyName: 'family', givenName: 'given' },
        roles: [],
        [enterpriseUrn]: { manager: 'boss' },
      })
    ).body
    const patched = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@x.example' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Bern' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Role' },
        {
          op: 'Replace',
          value: { 'name.familyName': 'updated', displayName: 'D', [`${enterpriseUrn}:department`]: 'Dep' },
        },
        { op: 'Add', path: `${enterpriseUrn}:manager`, value: 'boss2' },
        { op: 'Replace', path: 'active', value: 'False' },
      ),
    )
    expect(patched).toMatchObject({
      status: 200,
      body: {
        active: false,
        displayName: 'D',
        emails: [{ type: 'work', value: 'updated@x.example', primary: true }],
        phoneNumbers: [{ type: 'mobile', value: '555' }],
        addresses: [{ type: 'work', locality: 'Bern' }],
        roles: [{ primary: true, value: 'Role' }],
        name: { familyName: 'updated', givenName: 'given' },
        [enterpriseUrn]: { department: 'Dep', manager: { value: 'boss2' } },
      },
    })
  })

  it('Okta: PUT of the whole user, PATCH of active without a path, PATCH of a group with its id', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const user = {
      schemas: [userUrn],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    expect(
      (await scim('GET', '/Users?filter=userName%20eq%20%22test.user@okta.local%22&startIndex=1&count=100')).body
        .totalResults,
    ).toBe(0)
    const created = await scim('POST', '/Users', user)
    expect(created.status).toBe(201)
    expect(JSON.stringify(created.body)).not.toContain('1mz050nq')
    const { id } = created.body
    const put = { ...user, id, name: { givenName: 'Another', familyName: 'User' }, meta: { resourceType: 'User' } }
    expect((await scim('PUT', `/Users/${id}`, put)).body.name.givenName).toBe('Another')
    const off = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))
    expect(off.body.active).toBe(false)
    const group = await scim('POST', '/Groups', { schemas: [groupUrn], displayName: 'Test SCIMv2', members: [] })
    expect(group.status).toBe(201)
    const at = `/Groups/${group.body.id}`
    const renamed = { op: 'replace', value: { id: group.body.id, displayName: 'New name' } }
    expect((await scim('PATCH', at, patchOf(renamed))).body.displayName).toBe('New name')
    const members = [{ value: id, display: 'test.user@okta.local' }]
    expect(
      (await scim('PATCH', at, patchOf({ op: 'add', path: 'members', value: members }))).body.members,
    ).toMatchObject([{ value: id }])
    const removal = patchOf({ op: 'remove', path: `members[value eq "${id}"]` })
    expect((await scim('PATCH', at, removal)).body).not.toHaveProperty('members')
    expect(
      (await scim('PUT', at, { schemas: [groupUrn], displayName: 'New name', members })).body.members,
    ).toHaveLength(1)
    const none = patchOf({ op: 'replace', path: 'members', value: [] })
    expect((await scim('PATCH', at, none)).body).not.toHaveProperty('members')
  })

  it('Google Workspace: a PATCH with whole attributes, and a suspended user', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const user = {
      schemas: [userUrn],
      externalId: '108',
      userName: 'g@x.example',
      active: true,
      emails: [{ value: 'g@x.example', type: 'work', primary: true }],
      name: { givenName: 'G', familyName: 'W' },
    }
    const { id } = (await scim('POST', '/Users', user)).body
    const changed = patchOf(
      { op: 'replace', path: 'name', value: { familyName: 'X' } },
      { op: 'replace', path: 'emails', value: [{ value: 'g2@x.example', type: 'work', primary: true }] },
      { op: 'replace', path: 'active', value: false },
    )
    expect((await scim('PATCH', `/Users/${id}`, changed)).body).toMatchObject({
      active: false,
      name: { givenName: 'G', familyName: 'X' },
      emails: [{ value: 'g2@x.example' }],
    })
  })
})

describe('bulk requests', () => {
  it('run their operations, resolve bulkIds in any order, and stop after the permitted errors', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const { body } = await scim('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'G', members: [{ value: 'bulkId:u' }] } },
        { method: 'POST', path: '/Users', bulkId: 'u', data: { userName: 'ada' } },
        { method: 'PATCH', path: '/Users/bulkId:u', data: patchOf({ op: 'add', path: 'title', value: 'T' }) },
        { method: 'POST', path: '/Users', bulkId: 'v', data: { userName: 'ADA' } },
        { method: 'DELETE', path: '/Users/unknown' },
      ],
    })
    expect(body.Operations.map(({ status, bulkId }: any) => [status, bulkId])).toEqual([
      ['201', 'u'],
      ['201', 'g'],
      ['200', undefined],
      ['409', 'v'],
      ['404', undefined],
    ])
    expect(body.Operations[3].response.scimType).toBe('uniqueness')
    const group = (await scim('GET', '/Groups?filter=displayName eq "G"')).body.Resources[0]
    expect(group.members).toMatchObject([{ display: 'ada', type: 'User' }])
    expect(
      (await scim('GET', `/Groups?excludedAttributes=members&filter=members.value eq "${group.members[0].value}"`)).body
        .Resources[0],
    ).not.toHaveProperty('members')
    const [user] = (await scim('GET', '/Users?filter=groups.display eq "G"')).body.Resources
    expect(user.groups).toMatchObject([{ value: group.id, display: 'G', type: 'direct' }])
    const failing = {
      failOnErrors: 1,
      Operations: [
        { method: 'DELETE', path: '/Users/x' },
        { method: 'DELETE', path: `/Users/${user.id}` },
      ],
    }
    expect((await scim('POST', '/Bulk', failing)).body.Operations).toHaveLength(1)
    const many = Array.from({ length: 21 }, () => ({ method: 'DELETE', path: '/Users/x' }))
    expect(await scim('POST', '/Bulk', { Operations: many })).toMatchObject(error(413))
    expect(await scim('POST', '/Bulk', { Operations: [{ method: 'POST', path: '/Users' }] })).toMatchObject(
      error(400, 'invalidSyntax'),
    )
  })
})
