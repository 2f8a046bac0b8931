import { expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { enterpriseUrn, groupUrn, patchOf, scimDirectory, userUrn } from '../../../testing/scim.ts'

/**
 * The checks of scim2-tester 0.2.8 by their names (worker/testing/outside/scim-tester runs the original). As there, the
 * schemas of the directory say which attributes exist.
 */

interface Attribute {
  name: string
  type: string
  multiValued: boolean
  required: boolean
  mutability: string
  returned: string
  canonicalValues?: string[]
  referenceTypes?: string[]
  subAttributes?: Attribute[]
}

const common: Attribute = {
  ...{ name: 'externalId', type: 'string', multiValued: false, required: false },
  ...{ mutability: 'readWrite', returned: 'default' },
}

const isMissing = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)

it('passes the checks of scim2-tester', async () => {
  const app = new TestApp({ rateLimit: { enabled: false }, enterprise: { enabled: true } })
  const { scim } = await scimDirectory(app, 'acme', null)
  const passed = new Map<string, number>()

  /** Counts a check. @param found what must be equal to `wanted` */
  const check = (name: string, found: unknown, wanted: unknown, path = '') => {
    expect({ name, path, found }).toEqual({ name, path, found: wanted })
    passed.set(name, (passed.get(name) ?? 0) + 1)
  }
  const send = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer, headers } = await scim(method, path, body)
    return { status, body: answer, type: headers.get('content-type') }
  }
  const refusal = async (method: string, path: string) => {
    const { status, body } = await send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
    return [status, body.schemas?.[0], body.status]
  }
  const error = (status: number) => [status, 'urn:ietf:params:scim:api:messages:2.0:Error', String(status)]
  const otherMethods = (path: string) =>
    Promise.all(['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => refusal(method, path)))
  const only405 = Array.from({ length: 4 }, () => error(405))

  const config = await send('GET', '/ServiceProviderConfig')
  check('service_provider_config_endpoint', [config.status, config.type], [200, 'application/scim+json'])
  check('service_provider_config_endpoint_methods', await otherMethods('/ServiceProviderConfig'), only405)
  const types = (await send('GET', '/ResourceTypes')).body.Resources
  check(
    'query_all_resource_types',
    types.map(({ id }: { id: string }) => id),
    ['User', 'Group'],
  )
  check('resource_types_endpoint_methods', await otherMethods('/ResourceTypes'), only405)
  check('access_invalid_resource_type', await refusal('GET', '/ResourceTypes/unknown'), error(404))
  const schemas = (await send('GET', '/Schemas')).body.Resources
  check('query_all_schemas', schemas.length, 6)
  check('schemas_endpoint_methods', await otherMethods('/Schemas'), only405)
  check('access_invalid_schema', await refusal('GET', '/Schemas/unknown'), error(404))
  const names = schemas.map(({ name }: { name: string }) => name)
  check('core_schemas_validation', names.slice(-3), ['ServiceProviderConfig', 'ResourceType', 'Schema'])
  for (const one of schemas) check('access_schema_by_id', (await send('GET', `/Schemas/${one.id}`)).body, one)
  for (const one of types) {
    check('query_resource_type_by_id', (await send('GET', `/ResourceTypes/${one.id}`)).body, one)
    const urns = [one.schema, ...(one.schemaExtensions ?? []).map((extension: any) => extension.schema)]
    const found = await Promise.all(urns.map(async (urn: string) => (await send('GET', `/Schemas/${urn}`)).status))
    check(
      'resource_types_schema_validation',
      found,
      urns.map(() => 200),
    )
  }
  check('random_url', await refusal('GET', `/${crypto.randomUUID()}`), error(404))

  const attributesOf = (urn: string): Attribute[] => schemas.find((one: any) => one.id === urn).attributes
  let members: { value: string; $ref: string }[] = []

  /** A value of every part that a client can write. */
  const sampleOf = (attribute: Attribute): unknown => {
    const { name, type, subAttributes, canonicalValues, referenceTypes } = attribute
    if (name === 'members') return members.map((one) => ({ ...one, type: canonicalOf(attribute, 'type') }))
    const parts = (subAttributes ?? []).filter(({ mutability }) => mutability !== 'readOnly')
    const one =
      type === 'complex'
        ? Object.fromEntries(parts.map((part) => [part.name, part.name === 'primary' ? true : sampleOf(part)]))
        : type === 'boolean'
          ? true
          : type === 'binary'
            ? 'AQID'
            : (canonicalValues?.[0] ??
              (referenceTypes ? `https://${crypto.randomUUID()}.example` : crypto.randomUUID()))
    return attribute.multiValued ? [one] : one
  }
  const canonicalOf = ({ subAttributes }: Attribute, part: string) =>
    subAttributes?.find(({ name }) => name === part)?.canonicalValues?.[0]

  for (const { id: resource, endpoint, schema } of types) {
    const core = [common, ...attributesOf(schema)].filter(({ mutability }) => mutability !== 'readOnly')
    const extension = resource === 'User' ? attributesOf(enterpriseUrn) : []
    const whole = (attributes: Attribute[]) => Object.fromEntries(attributes.map((one) => [one.name, sampleOf(one)]))
    const least = () => ({ schemas: [schema], ...whole(core.filter(({ required }) => required)) })
    const all = () => ({
      schemas: resource === 'User' ? [userUrn, enterpriseUrn] : [groupUrn],
      ...whole(core),
      ...(extension.length > 0 ? { [enterpriseUrn]: whole(extension) } : {}),
    })
    if (resource === 'Group') {
      const user = (await send('POST', '/Users', { schemas: [userUrn], userName: 'member' })).body
      members = [{ value: user.id, $ref: user.meta.location }]
    }
    const given = all()
    const created = await send('POST', endpoint, given)
    check(`object_creation ${resource}`, [created.status, created.body], [201, expect.objectContaining(given)])
    const at = `${endpoint}/${created.body.id}`
    check(`object_query ${resource}`, (await send('GET', at)).body, created.body)
    const listed = (body: any) => body.Resources.find(({ id }: { id: string }) => id === created.body.id)
    check(`object_query_without_id ${resource}`, listed((await send('GET', endpoint)).body), created.body)
    const [included, excluded] = core.filter(({ required }) => !required).map(({ name }) => name)
    for (const [name, parameter, attribute, has] of [
      ['included', 'attributes', included!, true],
      ['excluded', 'excludedAttributes', excluded!, false],
    ] as const) {
      const query = `?${parameter}=${attribute}`
      const search = await send('POST', '/.search', { [parameter]: [attribute] })
      for (const [kind, found] of [
        ['object_query_with_attributes', (await send('GET', `${at}${query}`)).body],
        ['object_list_with_attributes', listed((await send('GET', `${endpoint}${query}`)).body)],
        ['search_with_attributes', listed(search.body)],
      ] as const) {
        check(`${kind} ${resource}`, [found.id, attribute in found], [created.body.id, has], name)
      }
    }
    const next = all()
    const replaced = await send('PUT', at, { ...next, id: created.body.id })
    check(`object_replacement ${resource}`, [replaced.status, replaced.body], [200, expect.objectContaining(next)])
    const deleted = [(await send('DELETE', at)).status, await refusal('GET', at)]
    check(`object_deletion ${resource}`, deleted, [204, error(404)])

    const paths = [
      ...core.map((one) => ({ path: one.name, attribute: one, owner: (body: any) => body })),
      ...extension.map((one) => ({
        ...{ path: `${enterpriseUrn}:${one.name}`, attribute: one },
        owner: (body: any) => body[enterpriseUrn] ?? {},
      })),
      ...(extension.length > 0
        ? [{ path: enterpriseUrn, attribute: { ...common, name: enterpriseUrn }, owner: (body: any) => body }]
        : []),
    ]
    for (const [kind, before, which] of [
      ['add', least, (one: Attribute) => !one.required],
      ['remove', all, (one: Attribute) => !one.required],
      ['replace', all, () => true],
    ] as const) {
      const { id } = (await send('POST', endpoint, before())).body
      for (const { path, attribute, owner } of paths.filter((one) => which(one.attribute))) {
        const value = path === enterpriseUrn ? whole(extension) : sampleOf(attribute)
        const operation = kind === 'remove' ? { op: kind, path } : { op: kind, path, value }
        const { status } = await send('PATCH', `${endpoint}/${id}`, patchOf(operation))
        const found = owner((await send('GET', `${endpoint}/${id}`)).body)[attribute.name]
        const expected = kind === 'remove' ? true : value
        const shown = kind === 'remove' ? isMissing(found) : found
        check(
          `check_${kind}_attribute ${resource}`,
          [status, shown],
          [resource === 'Group' ? 204 : 200, expected],
          path,
        )
      }
    }
  }
  expect(Object.fromEntries(passed)).toEqual({
    service_provider_config_endpoint: 1,
    service_provider_config_endpoint_methods: 1,
    query_all_resource_types: 1,
    resource_types_endpoint_methods: 1,
    access_invalid_resource_type: 1,
    query_all_schemas: 1,
    schemas_endpoint_methods: 1,
    access_invalid_schema: 1,
    core_schemas_validation: 1,
    access_schema_by_id: 6,
    query_resource_type_by_id: 2,
    resource_types_schema_validation: 2,
    random_url: 1,
    ...Object.fromEntries(
      ['User', 'Group'].flatMap((resource) => [
        [`object_creation ${resource}`, 1],
        [`object_query ${resource}`, 1],
        [`object_query_without_id ${resource}`, 1],
        [`object_query_with_attributes ${resource}`, 2],
        [`object_list_with_attributes ${resource}`, 2],
        [`search_with_attributes ${resource}`, 2],
        [`object_replacement ${resource}`, 1],
        [`object_deletion ${resource}`, 1],
      ]),
    ),
    'check_add_attribute User': 26,
    'check_remove_attribute User': 26,
    'check_replace_attribute User': 27,
    'check_add_attribute Group': 2,
    'check_remove_attribute Group': 2,
    'check_replace_attribute Group': 3,
  })
})
