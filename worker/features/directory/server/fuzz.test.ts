import { expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { enterpriseUrn, groupUrn, patchOf, scimDirectory, userUrn } from '../../../testing/scim.ts'

/** Whatever a directory sends, with any method: an answer, and never a fault. The sequence is the same in each run. */

/** Numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = randomFrom(35)
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const deep = Array.from({ length: 40 }).reduce<unknown>((inner) => ({ a: [inner] }), 1)
const hostile: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53 + 2,
    '',
    ' ',
    'x'.repeat(5000),
    '\u0000',
    '\ud800',
    '\u202e',
    'İ',
    'ß',
  ],
  ...[
    '$',
    '%',
    '_',
    "'",
    '"',
    '\\',
    '[',
    '](',
    '1e300',
    'NaN',
    'null',
    '0000-01-01T00:00:00Z',
    '+275761-01-01T00:00:00Z',
  ],
  ...[[], {}, [[]], [null], [1, '1'], [{}], deep, { value: {} }, [{ value: [] }], [{ value: null, primary: 'yes' }]],
  ...[{ __proto__: null, constructor: 1 }, { $ref: 5 }, Array.from({ length: 300 }, (_, n) => ({ value: String(n) }))],
  ...['emails[type eq "work"].value', 'members[value eq "', 'userName eq', `${userUrn}:userName`, 'a'.repeat(300)],
]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A copy with other values, names or members at some places. */
function mutated(value: unknown): unknown {
  if (random() < 0.07) return one(hostile)
  if (Array.isArray(value)) {
    const list = value.map(mutated)
    if (random() < 0.2) list.push(one(hostile))
    return random() < 0.1 ? list.slice(1) : list
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    random() < 0.06 ? one(['__proto__', 'ID', 'Id', 'schemas', 'meta', 'x'.repeat(300), '$ref', '']) : name,
    mutated(inner),
  ])
  return Object.fromEntries(random() < 0.1 ? entries.slice(1) : entries)
}

const user = {
  schemas: [userUrn, enterpriseUrn],
  userName: 'ada@acme.example',
  externalId: 'e1',
  name: { givenName: 'Ada', familyName: 'L', formatted: 'Ada L' },
  emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
  active: true,
  roles: [{ value: 'admin' }],
  [enterpriseUrn]: { department: 'D', manager: { value: 'm' } },
}
const group = { schemas: [groupUrn], displayName: 'G', externalId: 'g', members: [{ value: 'x', type: 'User' }] }
const patch = patchOf(
  { op: 'replace', path: 'name.givenName', value: 'B' },
  { op: 'add', path: 'emails[type eq "home"]', value: [{ value: 'b@acme.example' }] },
  { op: 'replace', value: { nickName: 'N' } },
)
const patchOfGroup = patchOf(
  { op: 'remove', path: 'members[value eq "x"]' },
  { op: 'replace', value: { displayName: 'N' } },
)
const search = { filter: 'userName eq "a"', startIndex: 1, count: 5, sortBy: 'userName', attributes: ['userName'] }
const bulk = (id: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
  failOnErrors: 1,
  Operations: [
    { method: 'POST', path: '/Users', bulkId: 'q', data: user },
    { method: 'PUT', path: `/Users/${id}`, data: user },
    { method: 'PATCH', path: `/Users/${id}`, data: patch },
    { method: 'DELETE', path: '/Groups/bulkId:q' },
  ],
})

const queries = [
  '',
  '?attributes=userName,emails.value',
  '?excludedAttributes=%00',
  '?filter=userName%20eq%20%22',
  '?startIndex=1e300&count=-1',
  '?startIndex=1e300',
  '?startIndex=9007199254740993&count=1e300',
  '?count=NaN&cursor=%FF',
  '?sortBy=__proto__&sortOrder=5',
  '?a[b]=1&a=2&a=3',
  `?filter=${'('.repeat(300)}`,
]
const conditions = ['', '', '', '*', 'W/"1"', 'W/"', '"1", W/"2"', 'W/"99999999999999999999"', 'x, y']
const types = ['', '', 'application/json', 'text/plain', 'application/scim+json; charset=utf-16']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

it('never causes a fault', async () => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  const app = new TestApp({ rateLimit: { enabled: false }, enterprise: { enabled: true } }, {}, false)
  const { scim } = await scimDirectory(app, 'acme', 'acme.example')
  let id = (await scim('POST', '/Users', user)).body.id as string
  const ofGroup = (await scim('POST', '/Groups', { ...group, members: [] })).body.id as string
  const faults: string[] = []
  const seen = new Map<string, number>()
  for (let n = 0; n < 500; n++) {
    const method = one(methods)
    const garbage = one(['Users', 'Groups', 'Bulk', 'Schemas', 'Nothing', '.search', '%00', 'x'.repeat(300)])
    const which = one([id, ofGroup, '.search', 'unknown', '%ff', '..', '', "a' or 1=1"])
    const isKnown = random() < 0.6
    const where = isKnown ? one(['Users', `Users/${id}`, 'Groups', `Groups/${ofGroup}`, 'Bulk']) : `${garbage}/${which}`
    const path = `/${where}${random() < 0.7 ? '' : one(queries)}`
    const [whole, changes] = where.startsWith('G') ? [group, patchOfGroup] : [user, patch]
    const fitting = where === 'Bulk' ? bulk(id) : method === 'PATCH' ? changes : whole
    const base = isKnown ? fitting : one([user, group, patch, patchOfGroup, search, bulk(id)])
    const body =
      method === 'GET'
        ? undefined
        : random() < 0.05
          ? one(['', '{', '[1,', 'null', '"x"', '\u0000'])
          : random() < 0.2
            ? base
            : mutated(base)
    const [type, condition] = [one(types), one(conditions)]
    const headers = { ...(type && { 'content-type': type }), ...(condition && { 'if-match': condition }) }
    const { status } = await scim(method, path, body, headers)
    seen.set(`${method} ${status}`, (seen.get(`${method} ${status}`) ?? 0) + 1)
    if (status >= 500) faults.push(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 400)}`)
    // The request has deleted the user.
    if (method === 'DELETE' || where.startsWith('Bulk')) id = (await scim('POST', '/Users', user)).body.id ?? id
  }
  expect(faults).toEqual([])
  // Requests of each method succeed too, so that they reach the database.
  for (const method of methods) {
    expect(
      [...seen.keys()].filter((one) => one.startsWith(`${method} 2`)),
      method,
    ).not.toEqual([])
  }
})
