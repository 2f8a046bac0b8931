import { defineEndpoints } from '../../../http/feature.ts'
import { reading, routes } from '../../../http/routes.ts'
import { auditOptions } from '../../../identity/audit/audit.config.ts'
import { deploymentStreamsContract } from './deployment-streams.contract.ts'
import * as store from './streams.store.ts'
import { administratorOf, createStream, deleteStream, present, testStream, updateStream } from './streams.ts'

export const auditStreamingEndpoints = defineEndpoints({
  routes: routes(deploymentStreamsContract, {
    listDeploymentStreams: reading(
      ({ scope }) => ({ rows: store.listStreams(scope.db, null, auditOptions.of(scope).maxStreams) }),
      (_, { rows }) => ({ streams: rows.map(present) }),
    ),
    createDeploymentStream: ({ scope, caller, body }) => createStream(scope, administratorOf(scope, caller), body),
    updateDeploymentStream: ({ scope, caller, body }) => updateStream(scope, administratorOf(scope, caller), body),
    deleteDeploymentStream: async ({ scope, caller, body }) => {
      await deleteStream(scope, administratorOf(scope, caller), body.streamId)
      return { success: true as const }
    },
    testDeploymentStream: async ({ scope, caller, body }) => ({
      failure: await testStream(scope, caller, administratorOf(scope, caller), body.streamId),
    }),
  }),
})
