import { catalogue } from '../../../kit/errors.ts'

export const directoryErrors = catalogue({
  ACCOUNT_DEACTIVATED_BY_DIRECTORY: [403, 'Your organization has deactivated this account'],
  DIRECTORY_TOKEN_NOT_FOUND: [404, 'Directory token not found'],
  MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED: [403, 'The maximum number of directory tokens is reached'],
})
