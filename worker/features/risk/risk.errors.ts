import { catalogue } from '../../kit/errors.ts'

export const riskErrors = catalogue({
  SIGN_IN_REFUSED: [403, 'This sign-in was refused. Sign in with a mailed link, a code or a passkey.'],
  NETWORK_BLOCKED: [403, 'Requests from your network are blocked at the moment.'],
  TOO_MANY_BLOCKS: [400, 'There are too many blocked networks. Unblock one first.'],
  BLOCK_CONTAINS_YOU: [400, 'Your own address is in this network.'],
  BLOCK_NOT_FOUND: [404, 'This network is not blocked.'],
})
