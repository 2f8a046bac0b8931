import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { basePath } from '../../identity/settings.ts'
import { jwtIssuerOf } from '../jwt/signing-keys.ts'
import {
  createReceiver,
  deleteReceiver,
  presentReceiver,
  requireRegistration,
  setReceiverStatus,
  verifyReceiver,
} from './receivers.ts'
import { sharedSignalsContract } from './shared-signals.contract.ts'
import { listReceivers } from './shared-signals.store.ts'
import {
  changeStatus,
  managementMetadata,
  poll,
  receiverOf,
  requireOwnStream,
  statusOf,
  streamOf,
  verifyStream,
} from './streams.ts'

export const sharedSignalsEndpoints = defineEndpoints({
  routes: routes(
    sharedSignalsContract,
    {
      // SSF 1.0, section 7.1.
      ssfConfiguration: ({ scope }) => ({
        spec_version: '1_0',
        issuer: jwtIssuerOf(scope),
        jwks_uri: `${scope.settings.baseUrl}${basePath}/jwks`,
        ...managementMetadata(scope),
        default_subjects: 'ALL' as const,
      }),
      listSignalReceivers: reading(
        ({ scope }) => ({ rows: listReceivers(scope.db, 100) }),
        ({ scope }, { rows }) => {
          requireRegistration(scope)
          return { receivers: rows.map(({ receiver, waiting }) => presentReceiver(receiver, waiting)) }
        },
      ),
      createSignalReceiver: async ({ scope, caller, body }) => {
        const { row, token } = await createReceiver(scope, caller, body)
        return { ...presentReceiver(row, 0), token }
      },
      deleteSignalReceiver: async ({ scope, caller, body }) => {
        await deleteReceiver(scope, caller, body.id)
        return { success: true } as const
      },
      setSignalReceiverStatus: async ({ scope, caller, body }) => {
        await setReceiverStatus(scope, caller, body.id, body.status)
        return { success: true } as const
      },
      verifySignalReceiver: async ({ scope, caller, body }) => {
        await verifyReceiver(scope, caller, body.id)
        return { success: true } as const
      },
      pollSignals: ({ scope, party, body }) => poll(scope, party, body),
      readSignalStream: ({ scope, party, query: { stream_id } }) => {
        // SSF 1.0, section 8.1.1.2: without an id, all streams of the receiver.
        if (stream_id === undefined) return [streamOf(scope, party)]
        requireOwnStream(party, stream_id)
        return streamOf(scope, party)
      },
      readSignalStatus: ({ party, query }) => {
        requireOwnStream(party, query.stream_id)
        return statusOf(party)
      },
      setSignalStatus: ({ scope, party, body: { stream_id, status, reason } }) => {
        requireOwnStream(party, stream_id)
        return changeStatus(scope, party, status, reason ?? null)
      },
      verifySignalStream: async ({ scope, party, body: { stream_id, state } }) => {
        requireOwnStream(party, stream_id)
        await verifyStream(scope, party, state)
        return new Response(null, { status: 204 })
      },
    },
    { client: (scope, { request }) => receiverOf(scope, request) },
  ),
})
