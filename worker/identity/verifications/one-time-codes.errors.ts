import { catalogue } from '../../kit/errors.ts'

export const codeErrors = catalogue({
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again later.'],
})
