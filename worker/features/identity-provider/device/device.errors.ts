import { catalogue } from '../../../kit/errors.ts'

export const deviceErrors = catalogue({
  INVALID_USER_CODE: [400, 'Invalid user code'],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again later.'],
})
