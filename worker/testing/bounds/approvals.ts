import { maxPending, maxStored } from '../../features/agents/approvals/approvals.store.ts'
import { identityProviderOptions } from '../../features/identity-provider/identity-provider.config.ts'
import { approvalGrantType } from '../../features/identity-provider/model/clients/client.ts'
import type { TestApp } from '../harness.ts'
import { agree, authorizationRequest, postForm, registerClient } from '../oauth.ts'
import { someone } from '../organizations.ts'
import { updateRows } from '../rows.ts'
import { type Bound, type Bounds, insertCopies } from './bounds.ts'

/** Bounds of requests for an approval (CIBA). */

const { approvalRequests } = identityProviderOptions.defaults

async function withApprovals(app: TestApp) {
  const user = await someone(app, 'Max')
  const client = await registerClient(user.device, { grant_types: ['authorization_code', approvalGrantType] })
  await agree(user.device, authorizationRequest(client, { scope: 'openid' }))
  const ask = () => postForm(app, '/oauth2/bc-authorize', { ...client, scope: 'openid', login_hint: user.id })
  const row = { userId: user.id, clientName: 'C', scopes: 'openid', createdAt: new Date(1) }
  return { user, client, ask, row }
}

export const approvalBounds: Bounds = {
  approval_requests: [
    {
      by: 'a client: POST /oauth2/bc-authorize',
      max: approvalRequests.max,
      per: `client, user and ${approvalRequests.window} s`,
      beyond: { status: 429, code: 'slow_down' },
      async reach(app, have) {
        const { ask } = await withApprovals(app)
        for (let n = 0; n < have; n++) {
          await ask()
          await updateRows('approval_requests', { state: 'denied' })
        }
        return ask
      },
    },
    {
      by: 'a client: POST /oauth2/bc-authorize',
      max: maxStored,
      per: 'user',
      beyond: 'none',
      async reach(app, have) {
        const { ask, client, row } = await withApprovals(app)
        const answered = { ...row, id: 'r#', clientId: client.client_id, state: 'denied' as const }
        await insertCopies('approval_requests', have, { ...answered, expiresAt: new Date(1) })
        return ask
      },
    },
    ...(['ofClient', 'ofUser'] as const).map(
      (which): Bound => ({
        by: 'a client: POST /oauth2/bc-authorize while requests wait',
        max: maxPending[which],
        per: which === 'ofClient' ? 'client and user' : 'user',
        // The answer does not show whether the user exists.
        beyond: 'none',
        async reach(app, have) {
          const { ask, client, row } = await withApprovals(app)
          const clientId = which === 'ofClient' ? client.client_id : 'other'
          const waiting = { ...row, id: 'r#', clientId, state: 'pending' as const }
          await insertCopies('approval_requests', have, { ...waiting, expiresAt: new Date(9_000_000_000_000) })
          return ask
        },
      }),
    ),
  ],
}
