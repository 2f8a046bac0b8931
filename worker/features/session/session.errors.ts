import { catalogue } from '../../kit/errors.ts'

export const sessionErrors = catalogue({
  SESSION_NOT_FOUND: [400, 'Session not found'],
})
