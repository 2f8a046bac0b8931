import { catalogue } from '../../kit/errors.ts'

export const securityLogErrors = catalogue({
  INVALID_CURSOR: [400, 'Invalid cursor'],
})
