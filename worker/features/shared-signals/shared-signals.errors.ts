import { catalogue } from '../../kit/errors.ts'

export const sharedSignalErrors = catalogue({
  /** A receiver's own endpoints: the token of no receiver. */
  INVALID_SIGNAL_TOKEN: [401, 'Invalid token of a receiver'],
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_SIGNAL_RECEIVERS: [403, 'You are not allowed to manage receivers of security events'],
  MAXIMUM_NUMBER_OF_SIGNAL_RECEIVERS_REACHED: [403, 'The maximum number of receivers is reached'],
  SIGNAL_RECEIVER_NOT_FOUND: [404, 'Receiver not found'],
  /** The receiver asks for the stream of another receiver. */
  SIGNAL_STREAM_NOT_FOUND: [404, 'Stream not found'],
  INVALID_SIGNAL_ADDRESS: [
    400,
    'The address must be https:// at a public host, without a port, a user or a numeric address',
  ],
  SIGNAL_ADMINISTRATOR_HAS_CHANGED: [409, 'Your permissions have changed in the meantime'],
  TOO_MANY_VERIFICATIONS: [429, 'A stream can be verified once a minute'],
  NOT_A_POLL_STREAM: [400, 'The stream of this receiver is delivered by push'],
})
