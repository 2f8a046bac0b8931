import { catalogue } from '../../../kit/errors.ts'

export const streamErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS: [403, 'You are not allowed to change the streams of the audit log'],
  AUDIT_STREAM_NOT_FOUND: [404, 'Audit stream not found'],
  INVALID_AUDIT_STREAM_ADDRESS: [
    400,
    'The address must be https at a public host that is not ours, at a port of audit.streamPorts',
  ],
  AUDIT_STREAM_SECRET_IS_REQUIRED: [400, 'This kind of stream needs a secret'],
  MAXIMUM_NUMBER_OF_AUDIT_STREAMS_REACHED: [403, 'Maximum number of audit streams reached'],
})
