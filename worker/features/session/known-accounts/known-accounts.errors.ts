import { catalogue } from '../../../kit/errors.ts'

export const knownAccountsErrors = catalogue({
  KNOWN_ACCOUNT_NOT_FOUND: [404, 'This browser does not know the account'],
})
