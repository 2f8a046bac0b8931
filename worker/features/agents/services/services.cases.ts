import type { FeatureCases } from '../../../testing/cases.ts'
import type { TestApp } from '../../../testing/harness.ts'
import type { Person } from '../../../testing/people.ts'
import { administering } from '../../../testing/set-ups.ts'

/** A service with access to a resource of its own for each user of the fault test, who share a database. */
const serviceFor = ({ email }: Person) => ({
  name: 'Job',
  access: { [`https://notes.example.com/${email}`]: [`notes:${email}`] },
})

/** An administrator and a registered resource. */
async function withResource(app: TestApp, person: Person) {
  const { device } = await administering(app, person)
  const [[identifier, [scope]]] = Object.entries(serviceFor(person).access) as [[string, [string]]]
  const resource = { identifier, scopes: { [scope]: 'See your notes' }, accessTokenExpiresIn: null, introspectedBy: [] }
  await device.post('/admin/create-resource', { name: 'Notes', ...resource })
  return { device, given: null }
}

/** An administrator and the client id of a registered service. */
async function withService(app: TestApp, person: Person) {
  const { device } = await withResource(app, person)
  const { body } = await device.post('/admin/create-service', serviceFor(person))
  return { device, given: body.service.clientId }
}

export const cases: FeatureCases = {
  faults: {
    'an administrator registers a service': {
      endpoint: 'POST /admin/create-service',
      before: withResource,
      input: (_given, person) => serviceFor(person),
    },
    'an administrator changes a service': {
      endpoint: 'POST /admin/update-service',
      before: withService,
      input: (clientId) => ({ clientId, state: 'paused' }),
    },
    'a service gets another secret': {
      endpoint: 'POST /admin/rotate-service-secret',
      before: withService,
      input: (clientId) => ({ clientId }),
    },
    'an administrator deletes a service': {
      endpoint: 'POST /admin/delete-service',
      before: withService,
      input: (clientId) => ({ clientId }),
      afterwards: ['SERVICE_NOT_FOUND'],
    },
  },
}
