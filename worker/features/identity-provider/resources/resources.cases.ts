import type { FeatureCases } from '../../../testing/cases.ts'
import type { TestApp } from '../../../testing/harness.ts'
import type { Person } from '../../../testing/people.ts'
import { administering, owning } from '../../../testing/set-ups.ts'

const config = { identityProvider: { resourcesPerOrganization: 5 } }

/** A resource of its own for each user of the fault test, who share a database. */
const propertiesFor = ({ email }: Person) => ({
  name: 'Notes',
  scopes: { [`notes:${email}`]: 'See your notes' },
  accessTokenExpiresIn: null,
  introspectedBy: [],
})
const resourceFor = (person: Person) => ({
  identifier: `https://notes.example.com/${person.email}`,
  ...propertiesFor(person),
})

/** An administrator and the id of a registered resource. */
async function withResource(app: TestApp, person: Person) {
  const { device } = await administering(app, person)
  const { body } = await device.post('/admin/create-resource', resourceFor(person))
  return { device, given: body.id }
}

/** An owner, their organization, and the id of a resource of it. */
async function withResourceOfOrganization(app: TestApp, person: Person) {
  const { device, given: organizationId } = await owning(app, person)
  const { body } = await device.post('/organization/create-resource', ofOrganization(organizationId))
  return { device, given: { organizationId, id: body.id } }
}

const ofOrganization = (organizationId: string) => ({
  ...{ organizationId, identifier: 'files', name: 'Files', scopes: { read: 'See files' } },
  ...{ accessTokenExpiresIn: null, introspectedBy: [] },
})

export const cases: FeatureCases = {
  config,
  faults: {
    'an administrator registers a resource': {
      endpoint: 'POST /admin/create-resource',
      before: administering,
      input: (_given, person) => resourceFor(person),
      afterwards: ['RESOURCE_EXISTS', 'RESOURCE_SCOPE_EXISTS'],
    },
    'an administrator changes a resource': {
      endpoint: 'POST /admin/update-resource',
      before: withResource,
      input: (id, person) => ({ id, ...propertiesFor(person), name: 'Notes 2' }),
    },
    'an administrator deletes a resource': {
      endpoint: 'POST /admin/delete-resource',
      before: withResource,
      input: (id) => ({ id }),
      afterwards: ['RESOURCE_NOT_FOUND'],
    },
    'an owner registers a resource of the organization': {
      config,
      endpoint: 'POST /organization/create-resource',
      before: owning,
      input: (organizationId: string) => ofOrganization(organizationId),
      afterwards: ['RESOURCE_EXISTS'],
    },
    'an owner changes a resource of the organization': {
      config,
      endpoint: 'POST /organization/update-resource',
      before: withResourceOfOrganization,
      input: ({ organizationId, id }: { organizationId: string; id: string }) => {
        const { identifier: _, ...properties } = ofOrganization(organizationId)
        return { id, ...properties, name: 'Files 2' }
      },
    },
    'an owner deletes a resource of the organization': {
      config,
      endpoint: 'POST /organization/delete-resource',
      before: withResourceOfOrganization,
      input: (given: object) => given,
      afterwards: ['RESOURCE_NOT_FOUND'],
    },
  },
}
