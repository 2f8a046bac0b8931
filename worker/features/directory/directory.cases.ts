import type { FeatureCases, Operation } from '../../testing/cases.ts'
import { withConnection } from '../../testing/connections.ts'
import type { TestApp } from '../../testing/harness.ts'
import type { Person } from '../../testing/people.ts'

async function withToken(app: TestApp, person: Person) {
  const { device, given } = await withConnection(app, person)
  const { body } = await device.post('/sso/create-directory-token', given)
  return { device, given: { ...given, tokenId: body.id } }
}

/** Identity providers call them with the token of a directory. */
const ofDirectory: readonly Operation[] = [
  'POST /scim/v2/:connection/Bulk',
  'POST /scim/v2/:connection/:resource',
  'PUT /scim/v2/:connection/:resource/:id',
  'PATCH /scim/v2/:connection/:resource/:id',
  'DELETE /scim/v2/:connection/:resource/:id',
]

export const cases: FeatureCases = {
  config: { enterprise: { enabled: true } },
  withoutFaults: {
    // server/protocol.test.ts, access/access.test.ts: the errors have the form of SCIM.
    inScim: ofDirectory,
  },
  faults: {
    'a directory token is created': { endpoint: 'POST /sso/create-directory-token', before: withConnection },
    'a directory token is rotated': {
      endpoint: 'POST /sso/rotate-directory-token',
      before: withToken,
      input: (given: object) => ({ ...given, overlap: 60 }),
    },
    'a directory token is revoked': {
      endpoint: 'POST /sso/revoke-directory-token',
      before: withToken,
      afterwards: ['DIRECTORY_TOKEN_NOT_FOUND'],
    },
  },
}
