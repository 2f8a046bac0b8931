import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { adminErrors } from '../../admin/admin.errors.ts'
import { idInput } from '../../organization/model/membership.schemas.ts'
import {
  changedStream,
  failure,
  newStream,
  newStreamErrors,
  newStreamExample,
  stream,
  streamList,
} from './streams.contract.ts'
import { streamErrors as errors } from './streams.errors.ts'

const changing = {
  access: { admin: { audit: ['update'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS },
  accessRules: { recentFor: () => true },
  limits: { rate: { max: 30, window: seconds(60) } },
  budget: { d1: 3 },
  changes: ['audit-stream'],
} as const

const changeErrors = [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS] as const

/** The streams of the deployment, which send all records, as those of organizations send theirs. */
export const deploymentStreamsContract = {
  listDeploymentStreams: get('/admin/audit-streams', {
    summary: 'Lists the streams that send the whole audit log to other systems',
    access: { admin: { audit: ['list'] }, refusal: adminErrors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG },
    answer: streamList,
    errors: [core.UNAUTHORIZED, adminErrors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG],
    budget: { d1: 1 },
    changes: [],
  }),
  createDeploymentStream: post('/admin/create-audit-stream', {
    ...changing,
    audit: 'admin.create-audit-stream',
    summary:
      'Creates a stream of the whole audit log; only this response contains the secret that signs the requests to a URL',
    input: { body: z.object(newStream), example: newStreamExample },
    answer: stream.extend({ secret: z.string().nullable() }),
    errors: [...changeErrors, ...newStreamErrors],
  }),
  updateDeploymentStream: post('/admin/update-audit-stream', {
    ...changing,
    audit: 'admin.update-audit-stream',
    summary: 'Renames, pauses or continues a stream of the whole audit log, or replaces its secret',
    input: { body: z.object(changedStream) },
    answer: stream,
    errors: [...changeErrors, errors.AUDIT_STREAM_NOT_FOUND],
  }),
  deleteDeploymentStream: post('/admin/delete-audit-stream', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'ends' },
    audit: 'admin.delete-audit-stream',
    summary: 'Deletes a stream of the whole audit log; records that it has not sent are not sent',
    input: { body: z.object({ streamId: idInput }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [...changeErrors, errors.AUDIT_STREAM_NOT_FOUND],
  }),
  testDeploymentStream: post('/admin/test-audit-stream', {
    ...changing,
    limits: { ...changing.limits, rate: { max: 20, window: minutes(10) } },
    summary: 'Sends a test record through a stream of the whole audit log, and returns the failure if there is one',
    input: { body: z.object({ streamId: idInput }) },
    answer: z.object({ failure: failure.nullable() }),
    errors: [...changeErrors, errors.AUDIT_STREAM_NOT_FOUND],
    budget: { d1: 2, outside: 1 },
    changes: [],
  }),
}
