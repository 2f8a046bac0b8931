import { catalogue } from '../../../kit/errors.ts'

export const multiSessionErrors = catalogue({
  INVALID_SESSION_TOKEN: [401, 'Invalid session token'],
})
