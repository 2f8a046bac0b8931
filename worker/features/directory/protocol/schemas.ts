/** The schemas of the directory (RFC 7643). The protocol reads attributes only by them. */

export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime' | 'binary' | 'integer'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable'
  /** `request`: only if the client names it in `attributes`. */
  readonly returned: 'always' | 'default' | 'request'
  readonly uniqueness: 'none' | 'server'
  /** The usual values. Others are accepted. */
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
  readonly referenceTypes?: readonly string[]
}

export interface ScimSchema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

const attribute = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: more.subAttributes ? 'complex' : 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const typeOf = (canonicalValues?: readonly string[]) =>
  attribute('type', 'A label, such as work or home', canonicalValues ? { canonicalValues } : {})
const display = attribute('display', 'A name for display')
const primary = attribute('primary', 'Whether it is the preferred value', { type: 'boolean' })
const reference = (referenceTypes: readonly string[]): Partial<Attribute> => ({
  type: 'reference',
  referenceTypes,
  caseExact: true,
})

/** A multi-valued attribute with the usual sub-attributes (RFC 7643, section 2.4). */
const values = (name: string, description: string, types?: readonly string[], value: Partial<Attribute> = {}) =>
  attribute(name, description, {
    multiValued: true,
    subAttributes: [attribute('value', 'The value', value), display, typeOf(types), primary],
  })

/** RFC 7643, section 4.1.2. */
const places = ['work', 'home', 'other']
const messengers = ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo']

const readOnly = { mutability: 'readOnly' } as const

export const userSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'User Account',
  attributes: [
    attribute('userName', 'The unique name at the identity provider', { required: true, uniqueness: 'server' }),
    attribute('name', 'The parts of the name', {
      subAttributes: [
        attribute('formatted', 'The whole name'),
        attribute('familyName', 'The family name'),
        attribute('givenName', 'The given name'),
        attribute('middleName', 'The middle names'),
        attribute('honorificPrefix', 'The prefix, such as Dr.'),
        attribute('honorificSuffix', 'The suffix, such as III'),
      ],
    }),
    attribute('displayName', 'The name for display'),
    attribute('nickName', 'The casual name'),
    attribute('profileUrl', 'The address of the online profile', reference(['external'])),
    attribute('title', 'The title, such as Vice President'),
    attribute('userType', 'The relationship with the organization'),
    attribute('preferredLanguage', 'The preferred language'),
    attribute('locale', 'The locale'),
    attribute('timezone', 'The time zone'),
    attribute('active', 'Whether the user has access', { type: 'boolean' }),
    values('emails', 'Email addresses', places),
    values('phoneNumbers', 'Phone numbers', [...places, 'mobile', 'fax', 'pager']),
    values('ims', 'Addresses of instant messaging', messengers),
    values('photos', 'Addresses of pictures', ['photo', 'thumbnail'], reference(['external'])),
    attribute('addresses', 'Mailing addresses', {
      multiValued: true,
      subAttributes: [
        attribute('formatted', 'The whole address'),
        attribute('streetAddress', 'The street address'),
        attribute('locality', 'The city'),
        attribute('region', 'The state or region'),
        attribute('postalCode', 'The postal code'),
        attribute('country', 'The country'),
        typeOf(places),
        primary,
      ],
    }),
    attribute('groups', 'The groups of the user', {
      multiValued: true,
      ...readOnly,
      subAttributes: [
        attribute('value', 'The id of the group', { ...readOnly, caseExact: true }),
        attribute('$ref', 'The address of the group', { ...readOnly, ...reference(['Group']) }),
        attribute('display', 'The name of the group', readOnly),
        attribute('type', 'The kind of membership', { ...readOnly, canonicalValues: ['direct'] }),
      ],
    }),
    values('entitlements', 'Entitlements'),
    values('roles', 'Roles at the identity provider'),
    values('x509Certificates', 'Certificates', undefined, { type: 'binary', caseExact: true }),
  ],
}

export const enterpriseSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    attribute('employeeNumber', 'The number of the employee'),
    attribute('costCenter', 'The cost center'),
    attribute('organization', 'The organization'),
    attribute('division', 'The division'),
    attribute('department', 'The department'),
    attribute('manager', 'The manager', {
      subAttributes: [
        attribute('value', 'The id of the manager', { caseExact: true }),
        attribute('$ref', 'The address of the manager', reference(['User'])),
        attribute('displayName', 'The name of the manager', readOnly),
      ],
    }),
  ],
}

export const groupSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'Group',
  attributes: [
    attribute('displayName', 'The name of the group', { required: true }),
    attribute('members', 'The users in the group', {
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the user', { mutability: 'immutable', caseExact: true }),
        attribute('$ref', 'The address of the user', { mutability: 'immutable', ...reference(['User']) }),
        attribute('type', 'The type of the member', { mutability: 'immutable', canonicalValues: ['User'] }),
        attribute('display', 'The name of the user', { ...readOnly, returned: 'request' }),
      ],
    }),
  ],
}

/** Attributes of each resource (RFC 7643, section 3.1). */
const common: readonly Attribute[] = [
  attribute('id', 'The id', { ...readOnly, caseExact: true, returned: 'always' }),
  attribute('externalId', 'The id at the identity provider', { caseExact: true }),
  attribute('schemas', 'The schemas', { ...readOnly, multiValued: true, caseExact: true, returned: 'always' }),
  attribute('meta', 'Metadata', {
    ...readOnly,
    subAttributes: [
      attribute('resourceType', 'The type', readOnly),
      attribute('created', 'The time of the creation', { ...readOnly, type: 'dateTime' }),
      attribute('lastModified', 'The time of the last change', { ...readOnly, type: 'dateTime' }),
      attribute('location', 'The address', { ...readOnly, ...reference(['uri']) }),
      attribute('version', 'The ETag', { ...readOnly, caseExact: true }),
    ],
  }),
]

/** A type of resources with its schemas. */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: 'Users' | 'Groups'
  readonly schema: ScimSchema
  readonly extension: ScimSchema | null
  /** The common attributes and those of the core schema. */
  readonly attributes: readonly Attribute[]
}

export const userType: ResourceType = {
  name: 'User',
  endpoint: 'Users',
  schema: userSchema,
  extension: enterpriseSchema,
  attributes: [...common, ...userSchema.attributes],
}

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: 'Groups',
  schema: groupSchema,
  extension: null,
  attributes: [...common, ...groupSchema.attributes],
}

export const resourceTypes: readonly ResourceType[] = [userType, groupType]

const many = { multiValued: true } as const
const supported = attribute('supported', 'Whether it is supported', { type: 'boolean', ...readOnly, required: true })
const number = (name: string) => attribute(name, 'A number', { type: 'integer', ...readOnly })

/** The schemas of the discovery documents (RFC 7643, sections 5 to 7). */
export const discoverySchemas: readonly ScimSchema[] = [
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
    name: 'ServiceProviderConfig',
    description: 'The features of the service provider',
    attributes: [
      attribute('documentationUri', 'The documentation', { ...readOnly, ...reference(['external']) }),
      attribute('patch', 'PATCH', { ...readOnly, required: true, subAttributes: [supported] }),
      attribute('bulk', 'Bulk requests', {
        ...readOnly,
        required: true,
        subAttributes: [supported, number('maxOperations'), number('maxPayloadSize')],
      }),
      attribute('filter', 'Filters', { ...readOnly, required: true, subAttributes: [supported, number('maxResults')] }),
      attribute('changePassword', 'Passwords', { ...readOnly, required: true, subAttributes: [supported] }),
      attribute('sort', 'Sorting', { ...readOnly, required: true, subAttributes: [supported] }),
      attribute('etag', 'ETags', { ...readOnly, required: true, subAttributes: [supported] }),
      attribute('pagination', 'Pagination (RFC 9865)', {
        ...readOnly,
        subAttributes: [
          attribute('cursor', 'Pages by cursor', { ...readOnly, type: 'boolean', required: true }),
          attribute('index', 'Pages by index', { ...readOnly, type: 'boolean', required: true }),
          attribute('defaultPaginationMethod', 'The usual pagination', readOnly),
          number('defaultPageSize'),
          number('maxPageSize'),
        ],
      }),
      attribute('authenticationSchemes', 'How clients authenticate', {
        ...readOnly,
        ...many,
        required: true,
        subAttributes: [
          attribute('type', 'The type', { ...readOnly, required: true }),
          attribute('name', 'The name', { ...readOnly, required: true }),
          attribute('description', 'The description', { ...readOnly, required: true }),
          attribute('specUri', 'The specification', { ...readOnly, ...reference(['external']) }),
          attribute('documentationUri', 'The documentation', { ...readOnly, ...reference(['external']) }),
        ],
      }),
    ],
  },
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
    name: 'ResourceType',
    description: 'A type of resources',
    attributes: [
      attribute('id', 'The id', readOnly),
      attribute('name', 'The name', { ...readOnly, required: true }),
      attribute('description', 'The description', readOnly),
      attribute('endpoint', 'The path', { ...readOnly, ...reference(['uri']), required: true }),
      attribute('schema', 'The schema', { ...readOnly, ...reference(['uri']), required: true }),
      attribute('schemaExtensions', 'The extensions', {
        ...readOnly,
        ...many,
        subAttributes: [
          attribute('schema', 'The schema', { ...readOnly, ...reference(['uri']), required: true }),
          attribute('required', 'Whether it is required', { ...readOnly, type: 'boolean', required: true }),
        ],
      }),
    ],
  },
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
    name: 'Schema',
    description: 'A schema',
    attributes: [
      attribute('id', 'The URN', { ...readOnly, required: true }),
      attribute('name', 'The name', { ...readOnly, required: true }),
      attribute('description', 'The description', readOnly),
      attribute('attributes', 'The attributes', {
        ...readOnly,
        ...many,
        required: true,
        subAttributes: [
          attribute('name', 'The name', { ...readOnly, required: true }),
          attribute('type', 'The type', { ...readOnly, required: true }),
          attribute('multiValued', 'Whether it has several values', { ...readOnly, type: 'boolean', required: true }),
          attribute('description', 'The description', readOnly),
          attribute('required', 'Whether it is required', { ...readOnly, type: 'boolean' }),
          attribute('caseExact', 'Whether case matters', { ...readOnly, type: 'boolean' }),
          attribute('mutability', 'Whether it can be changed', readOnly),
          attribute('returned', 'When it is returned', readOnly),
          attribute('uniqueness', 'Whether it is unique', readOnly),
        ],
      }),
    ],
  },
]

export const allSchemas: readonly ScimSchema[] = [userSchema, enterpriseSchema, groupSchema, ...discoverySchemas]
