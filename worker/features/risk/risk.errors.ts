import { catalogue } from '../../kit/errors.ts'

export const riskErrors = catalogue({
  SIGN_IN_REFUSED: [403, 'This sign-in was refused. Sign in with a mailed link, a code or a passkey.'],
})
