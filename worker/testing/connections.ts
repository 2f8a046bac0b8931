import type { TestApp } from './harness.ts'
import type { Person } from './people.ts'
import { owning } from './set-ups.ts'

/** For tests: a connection of an organization that nothing asks for a sign-in. */
export const oidcConnection = {
  name: 'IdP',
  config: { type: 'oidc', issuer: 'https://idp.example.org', clientId: 'client' },
  clientSecret: 'hush',
}

/** An owner with a connection. */
export async function withConnection(app: TestApp, person: Person, connection: object = oidcConnection) {
  const { device } = await owning(app, person)
  const { body } = await device.post('/sso/create-connection', connection)
  return { device, given: { connectionId: body.id } }
}
