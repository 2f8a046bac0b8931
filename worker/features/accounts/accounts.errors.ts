import { catalogue } from '../../kit/errors.ts'

export const accountErrors = catalogue({
  ACCOUNT_NOT_FOUND: [400, 'Account not found'],
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: [400, "You can't unlink your last account"],
})
