import type { FeatureCases } from '../../../testing/cases.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { insertion } from '../../../testing/insertion.ts'
import { agree, authorizationRequest, postForm, registerClient } from '../../../testing/oauth.ts'
import { type Person, signUp } from '../../../testing/people.ts'
import { idOf } from '../../../testing/states.ts'
import { approvalGrantType } from '../../identity-provider/model/clients/client.ts'
import { approvalRequests } from './approvals.table.ts'

/** A user, and a client that they allow. */
async function withClient(app: TestApp, person: Person) {
  const device = await signUp(app, person)
  const client = await registerClient(device, { grant_types: ['authorization_code', approvalGrantType] })
  await agree(device, authorizationRequest(client, { scope: 'openid' }))
  const form = { ...client, scope: 'openid', login_hint: await idOf(person.email) }
  return { device, form }
}

async function asked(app: TestApp, person: Person) {
  const { device, form } = await withClient(app, person)
  await postForm(app, '/oauth2/bc-authorize', form)
  return { device, given: (await device.get('/approvals/list')).body[0].id as string }
}

const answer = { before: asked, input: (id: string) => ({ id }), afterwards: ['APPROVAL_NOT_FOUND'] } as const

export const cases: FeatureCases = {
  faults: {
    'a client asks for an approval': {
      endpoint: 'POST /oauth2/bc-authorize',
      before: async (app, person) => ({ device: app.device(), given: (await withClient(app, person)).form }),
      headers: { origin: '' },
    },
    'a user approves': { endpoint: 'POST /approvals/approve', ...answer },
    'a user denies': { endpoint: 'POST /approvals/deny', ...answer },
  },
  growth: {
    approvals: {
      list: '/approvals/list',
      rows: (userId, n) => [
        insertion(approvalRequests, {
          ...{ id: `r${n}`, userId, clientId: 'c', clientName: 'C', scopes: 'openid', state: 'denied' },
          createdAt: new Date(n),
          expiresAt: new Date(n),
        }),
      ],
    },
  },
  events: {
    'a client asks for an approval': {
      act: async ({ app, begin }) => {
        const { form } = await withClient(app, {
          name: 'Ada',
          email: 'ada@example.com',
          password: 'password1234',
        })
        await begin()
        await postForm(app, '/oauth2/bc-authorize', form)
      },
      events: ['approval.requested'],
      hooks: ['approvalRequested'],
    },
  },
}
