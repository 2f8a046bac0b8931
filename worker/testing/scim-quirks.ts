import { enterpriseUrn, groupUrn, patchOf, userUrn } from './scim.ts'

/**
 * Requests of identity providers that deviate from the standard, or that read it in their own way, as users of other products have
 * reported them. `directory/server/identity-providers.test.ts` has their usual sequences.
 */

export interface ScimQuirk {
  product: string
  deviation: string
  source: string
  /** `{user}`, `{boss}` and `{group}` are the ids of the resources below. */
  request: [method: string, path: string, body?: unknown]
  headers?: Record<string, string>
  status: number
  /** Of the response, or of `check`. */
  body?: unknown
  check?: string
}

const ada = { userName: 'ada@x.example', externalId: 'E-1', active: true }
export const quirksUser = {
  ...ada,
  name: { givenName: 'Ada', familyName: 'King' },
  emails: [
    { value: 'ada@x.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
}
const found = { totalResults: 1, Resources: [{ id: '{user}' }] }
export const none = { totalResults: 0, Resources: [] }
export const patchUser = (...operations: object[]): ScimQuirk['request'] => [
  'PATCH',
  '/Users/{user}',
  patchOf(...operations),
]
export const patchGroup = (...operations: object[]): ScimQuirk['request'] => [
  'PATCH',
  '/Groups/{group}',
  patchOf(...operations),
]
export const inactive = { status: 200, body: { active: false } }
export const onlyBoss = { status: 204, check: '/Groups/{group}', body: { members: [{ value: '{boss}' }] } }
export const both = { members: [{ value: '{user}' }, { value: '{boss}' }] }
const entra = 'learn.microsoft.com: application-provisioning-config-problem-scim-compatibility'

export const scimQuirks: ScimQuirk[] = [
  ...['False', 'false', 'FALSE'].map((value) => ({
    product: 'Entra ID',
    deviation: `active is the text ${value}`,
    source: 'github.com/scimmyjs/scimmy/issues/51',
    request: patchUser({ op: 'Replace', path: 'active', value }),
    ...inactive,
  })),
  {
    product: 'Entra ID',
    deviation: 'active is a text, without a path',
    source: entra,
    request: patchUser({ op: 'Replace', value: { active: 'False' } }),
    ...inactive,
  },
  {
    product: 'Entra ID',
    deviation: 'active is a list with one text',
    source: 'github.com/apache/syncope/pull/581',
    request: patchUser({ op: 'Replace', path: 'active', value: ['False'] }),
    ...inactive,
  },
  {
    product: 'any',
    deviation: 'active is an object with a value, as members are',
    source: 'github.com/MicrosoftDocs/azure-docs/issues/30826 (the form of values)',
    request: patchUser({ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }),
    ...inactive,
  },
  {
    product: 'Okta',
    deviation: 'active without a path',
    source: 'github.com/getsentry/sentry/pull/27199',
    request: patchUser({ op: 'replace', value: { active: false } }),
    ...inactive,
  },
  {
    product: 'any',
    deviation: 'other case of the name of an attribute and of the operation',
    source: 'RFC 7643, section 2.1',
    request: patchUser({ op: 'REPLACE', path: 'Active', value: false }),
    ...inactive,
  },
  {
    product: 'any',
    deviation: 'a path that begins with a slash',
    source: 'github.com/medplum/medplum/pull/5690',
    request: patchUser({ op: 'replace', path: '/active', value: false }),
    ...inactive,
  },
  {
    product: 'ssoready clients',
    deviation: 'operations in lower case, and no schemas',
    source: 'github.com/ssoready/ssoready/pull/182',
    request: ['PATCH', '/Users/{user}', { operations: [{ op: 'replace', path: 'active', value: false }] }],
    ...inactive,
  },
  {
    product: 'Entra ID',
    deviation: 'a value that does not exist is added by its type',
    source: 'github.com/wireapp/wire-server/pull/5419',
    request: patchUser({ op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' }),
    status: 200,
    body: { phoneNumbers: [{ type: 'work', value: '1' }] },
  },
  {
    product: 'Entra ID',
    deviation: 'the same with Replace',
    source: 'github.com/Metatavu/keycloak-scim-server/issues/35',
    request: patchUser({ op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '2' }),
    status: 200,
    body: { phoneNumbers: [{ type: 'mobile', value: '2' }] },
  },
  {
    product: 'Entra ID',
    deviation: 'a path with a filter as the name in a value without a path',
    source: entra,
    request: patchUser({ op: 'Replace', value: { 'emails[type eq "work"].value': 'new@x.example' } }),
    status: 200,
    body: { emails: [{ value: 'new@x.example' }, { type: 'home' }] },
  },
  {
    product: 'Entra ID',
    deviation: 'dots in the names of a value without a path',
    source: entra,
    request: patchUser({ op: 'Add', value: { 'name.givenName': 'Augusta', [`${enterpriseUrn}:department`]: 'R' } }),
    status: 200,
    body: { name: { givenName: 'Augusta', familyName: 'King' }, [enterpriseUrn]: { department: 'R' } },
  },
  {
    product: 'Entra ID',
    deviation: 'the manager is a text',
    source: 'github.com/apache/directory-scimple/pull/1244',
    request: patchUser({ op: 'Add', path: `${enterpriseUrn}:manager`, value: '{boss}' }),
    status: 200,
    body: { [enterpriseUrn]: { manager: { value: '{boss}' } } },
  },
  {
    product: 'Entra ID',
    deviation: 'the manager is removed although the entry has none',
    source: 'github.com/AzureAD/SCIMReferenceCode/pull/156',
    request: patchUser({ op: 'Remove', path: `${enterpriseUrn}:manager` }),
    status: 200,
  },
  {
    product: 'Entra ID',
    deviation: 'the manager is removed with an empty text',
    source: 'github.com/MicrosoftDocs/azure-docs/issues/11784',
    request: patchUser({ op: 'Replace', path: `${enterpriseUrn}:manager`, value: '' }),
    status: 200,
  },
  {
    product: 'Okta',
    deviation: 'an empty text for an attribute without a value',
    source: 'developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20',
    request: [
      'PUT',
      '/Users/{user}',
      { ...quirksUser, title: '', nickName: '', name: { ...quirksUser.name, middleName: '' } },
    ],
    status: 200,
    body: { userName: 'ada@x.example' },
  },
  {
    product: 'any',
    deviation: 'null for attributes without a value',
    source: 'RFC 7643, section 2.5',
    request: [
      'PUT',
      '/Users/{user}',
      { ...quirksUser, title: null, emails: quirksUser.emails, phoneNumbers: null, name: quirksUser.name },
    ],
    status: 200,
    body: { emails: [{ type: 'work' }, { type: 'home' }] },
  },
  {
    product: 'any',
    deviation: 'addresses with empty parts',
    source: 'RFC 7643, section 2.5',
    request: [
      'PUT',
      '/Users/{user}',
      {
        ...quirksUser,
        addresses: [{ type: 'work', streetAddress: '', locality: '' }],
        phoneNumbers: [{ type: 'work', value: '' }],
      },
    ],
    status: 200,
  },
  {
    product: 'any',
    deviation: 'unknown attributes and extensions',
    source: 'RFC 7644, section 3.3',
    request: [
      'PUT',
      '/Users/{user}',
      { ...quirksUser, samlNameId: 'x', 'urn:scim:schemas:extension:custom:1.0': { a: 1 } },
    ],
    status: 200,
  },
  {
    product: 'Okta',
    deviation: 'PUT with the id, meta and groups of the server',
    source: 'developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20',
    request: ['PUT', '/Users/{user}', { ...quirksUser, id: 'other', meta: { version: 'x' }, groups: [{ value: 'x' }] }],
    status: 200,
    body: { id: '{user}' },
  },
  {
    product: 'any',
    deviation: 'no schemas',
    source: 'github.com/scimmyjs/scimmy/issues/68',
    request: ['POST', '/Users', { userName: 'new@x.example' }],
    status: 201,
    body: { schemas: [userUrn] },
  },
  {
    product: 'Entra ID',
    deviation: 'POST with an id of its own',
    source: 'github.com/msaad00/agent-bom/pull/3540',
    request: ['POST', '/Users', { id: '{user}', userName: 'new@x.example' }],
    status: 201,
  },
  {
    product: 'Entra ID',
    deviation: 'a group with the schema of ADSCIM',
    source: 'learn.microsoft.com: use-scim-to-provision-users-and-groups',
    request: [
      'POST',
      '/Groups',
      {
        schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        displayName: 'N',
      },
    ],
    status: 201,
  },
  {
    product: 'Entra ID',
    deviation: 'members are removed by a value',
    source: 'github.com/MicrosoftDocs/azure-docs/issues/30826',
    request: patchGroup({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{user}' }] }),
    ...onlyBoss,
  },
  {
    product: 'Okta, Entra ID (aadOptscim062020)',
    deviation: 'members are removed by a filter',
    source: 'github.com/simpleidserver/SimpleIdServer/issues/696',
    request: patchGroup({ op: 'remove', path: 'members[value eq "{user}"]' }),
    ...onlyBoss,
  },
  {
    product: 'scripts',
    deviation: 'the filter has a text without quotation marks',
    source: 'github.com/simpleidserver/SimpleIdServer/issues/164',
    request: patchGroup({ op: 'remove', path: 'members[value eq {user}]' }),
    ...onlyBoss,
  },
  {
    product: 'WSO2',
    deviation: 'members are added without a path, again',
    source: 'github.com/wso2/product-is/issues/5333',
    request: patchGroup({
      op: 'add',
      value: { members: [{ display: 'PRIMARY/ada', value: '{user}', $ref: 'https://x/1' }] },
    }),
    status: 204,
    check: '/Groups/{group}',
    body: both,
  },
  {
    product: 'Entra ID (validator)',
    deviation: 'displayName in a member, and a name of the operation',
    source: 'github.com/AzureAD/SCIMReferenceCode/issues/20',
    request: patchGroup({
      name: 'addMember',
      op: 'add',
      path: 'members',
      value: [{ displayName: 'x', value: '{user}' }],
    }),
    status: 204,
  },
  {
    product: 'Okta',
    deviation: 'an empty list empties the group',
    source: 'github.com/Captain-P-Goldfish/SCIM-SDK/issues/757',
    request: patchGroup({ op: 'replace', path: 'members', value: [] }),
    status: 204,
    check: '/Groups?filter=id eq "{group}" and members.value pr',
    body: none,
  },
  {
    product: 'Okta',
    deviation: 'the same without a path',
    source: 'github.com/jelhub/scimgateway/issues/113',
    request: patchGroup({ op: 'replace', value: { members: [], id: '{group}', displayName: 'G' } }),
    status: 204,
    check: '/Groups?filter=id eq "{group}" and members.value pr',
    body: none,
  },
  {
    product: 'Okta',
    deviation: 'a new name without a path, which names no members',
    source: 'github.com/langwatch/langwatch/issues/7131',
    request: patchGroup({ op: 'replace', value: { id: '{group}', displayName: 'New' } }),
    status: 204,
    check: '/Groups/{group}',
    body: { displayName: 'New', ...both },
  },
  {
    product: 'any',
    deviation: 'remove without a value and a filter empties the group',
    source: 'RFC 7644, section 3.5.2.2',
    request: patchGroup({ op: 'remove', path: 'members' }),
    status: 204,
    check: '/Groups?filter=id eq "{group}" and members.value pr',
    body: none,
  },
  {
    product: 'Okta',
    deviation: 'PUT of a group with members',
    source: 'github.com/simpleidserver/SimpleIdServer/issues/247',
    request: [
      'PUT',
      '/Groups/{group}',
      { id: '{group}', displayName: 'G', members: [{ value: '{boss}', display: 'b' }] },
    ],
    status: 200,
    body: { members: [{ value: '{boss}' }] },
  },
  ...[
    'userName eq "ADA@x.example"',
    'username EQ "ada@x.example"',
    'userName eq ada@x.example',
    'externalId eq "E-1"',
    'emails[type eq "work"].value eq "ada@x.example"',
    'emails.value eq "ada@home.example"',
    'emails eq "ada@x.example"',
    'userName eq "ada@x.example" and active eq "true"',
    `${userUrn}:userName eq "ada@x.example"`,
    '(userName eq "ada@x.example")',
  ].map((filter) => ({
    product: 'Entra ID, Okta, Ping',
    deviation: `the filter ${filter}`,
    source: 'github.com/eneo-ai/eneo/pull/443',
    request: ['GET', `/Users?filter=${filter}`] as ScimQuirk['request'],
    status: 200,
    body: found,
  })),
  {
    product: 'Google Workspace',
    deviation: 'an id of another case is another one',
    source: 'RFC 7643, section 3.1',
    request: ['GET', '/Users?filter=externalId eq "e-1"'],
    status: 200,
    body: none,
  },
  {
    product: 'Entra ID (collection of tests)',
    deviation: 'a slash at the end of the path',
    source: 'github.com/AzureAD/SCIMReferenceCode/issues/44',
    request: ['GET', '/Users/?filter=userName eq "ada@x.example"'],
    status: 200,
    body: found,
  },
  {
    product: 'any',
    deviation: 'an empty filter',
    source: 'github.com/simpleidserver/SimpleIdServer/issues/604',
    request: ['GET', '/Users?filter=&startIndex=&count='],
    status: 200,
    body: { totalResults: 2 },
  },
  {
    product: 'Okta',
    deviation: 'startIndex 0',
    source: 'RFC 7644, section 3.4.2.4',
    request: ['GET', '/Users?startIndex=0&count=1'],
    status: 200,
    body: { startIndex: 1, itemsPerPage: 1 },
  },
  ...['application/json', 'application/json; charset=utf-8', 'application/scim+json', 'text/json'].map((type) => ({
    product: 'Google Workspace, Entra ID, Okta',
    deviation: `the content type ${type}`,
    source: 'github.com/MicrosoftDocs/azure-docs/issues/116775',
    request: patchUser({ op: 'replace', path: 'active', value: false }),
    headers: { 'content-type': type },
    ...inactive,
  })),
]
