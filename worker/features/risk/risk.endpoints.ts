import { defineEndpoints } from '../../http/feature.ts'
import { riskErrors } from './risk.errors.ts'

const paths = ['/sign-in/email', '/sign-in/username', '/sign-in/phone-number']

export const riskEndpoints = defineEndpoints({
  errorsAt: ({ path }) => (paths.includes(path) ? [riskErrors.SIGN_IN_REFUSED] : []),
})
