import { catalogue } from '../../../kit/errors.ts'

export const oneTimeTokenErrors = catalogue({
  CLIENT_REQUESTS_ARE_DISABLED: [400, 'Client requests are disabled'],
  INVALID_TOKEN: [400, 'Invalid token'],
  TOKEN_EXPIRED: [400, 'Token expired'],
  SESSION_NOT_FOUND: [400, 'Session not found'],
})
