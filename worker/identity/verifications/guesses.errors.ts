import { catalogue } from '../../kit/errors.ts'

export const guessErrors = catalogue({
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again later.'],
})
