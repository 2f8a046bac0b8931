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

describe('the discovery of a directory', () => {
  it('says what the directory supports, and has no filter', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 20 },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
      pagination: { cursor: true, index: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    expect(await scim('GET', '/Schemas?filter=id pr')).toMatchObject(error(403))
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

describe('users', () => {
  it('a write ignores unknown attributes, and refuses wrong values, paths and operations', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', null)
    const given = { schemas: [userUrn], userName: 'Ada', externalId: 'x1', title: 'T', unknown: 1 }
    const created = await scim('POST', '/Users', given)
    expect(created.body).not.toHaveProperty('unknown')
    const { id, meta } = created.body
    expect(created.headers.get('location')).toBe(meta.location)
    expect(created.headers.get('etag')).toBe('W/"1"')
    expect(await scim('POST', '/Users', { displayName: 'No name' })).toMatchObject(error(400, 'invalidValue'))
    expect(await scim('POST', '/Users', '{')).toMatchObject(error(400, 'invalidSyntax'))
    const replaced = await scim('PUT', `/Users/${id}`, { schemas: [userUrn], id, userName: 'Ada2' })
    expect(replaced).toMatchObject({ status: 200, body: { userName: 'Ada2', active: true } })
    for (const name of ['title', 'externalId']) expect(replaced.body).not.toHaveProperty(name)
    for (const [operation, scimType] of [
      [{ op: 'remove', path: 'userName' }, 'invalidValue'],
      [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
      [{ op: 'add', path: 'nothing', value: 'x' }, 'invalidPath'],
      [{ op: 'add', path: '__proto__.x', value: 'x' }, 'invalidPath'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'move', path: 'title' }, 'invalidSyntax'],
    ] as const) {
      expect(await scim('PATCH', `/Users/${id}`, patchOf(operation))).toMatchObject(error(400, scimType))
    }
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
    // The root searches users and groups. A type that does not have an attribute of the filter has no results.
    await scim('POST', '/Groups', { displayName: 'ada@x.example' })
    const searchAll = async (body: object) => {
      const answer = await scim('POST', '/.search', body)
      const names = answer.body.Resources?.map((one: any) => one.userName ?? one.displayName)
      return [answer.status, answer.body.totalResults ?? answer.body.scimType, names]
    }
    const { filter } = search
    for (const [body, found] of [
      [{ startIndex: 3, count: 2 }, [200, 4, [expect.any(String), 'ada@x.example']]],
      [{ startIndex: 4 }, [200, 4, ['ada@x.example']]],
      [{ filter }, [200, 1, ['ada@x.example']]],
      [{ filter: 'meta.resourceType eq "Group"' }, [200, 1, ['ada@x.example']]],
      [{ filter: 'displayName eq "ada@x.example" or id eq "x"' }, [200, 1, ['ada@x.example']]],
      [{ filter: 'nothing eq "x"' }, [400, 'invalidFilter', undefined]],
      [{ cursor: '' }, [400, 'invalidCursor', undefined]],
    ] as const) {
      expect({ body, found: await searchAll(body) }).toEqual({ body, found })
    }
    expect(await scim('PUT', '/.search', {})).toMatchObject(error(405))
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
    expect(group.members).toEqual([{ value: expect.any(String), $ref: expect.any(String), type: 'User' }])
    const named = await scim('GET', `/Groups/${group.id}?attributes=members.display`)
    expect(named.body.members).toEqual([{ display: 'ada' }])
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
