import { catalogue } from '../../kit/errors.ts'

export const jwtErrors = catalogue({
  ALGORITHM_NOT_SUPPORTED: [400, 'Algorithm not supported'],
})
