import { catalogue } from '../../../kit/errors.ts'

export const accessIdentityErrors = catalogue({
  ACCESS_TOKEN_MISSING: [401, 'The request did not pass Cloudflare Access'],
  ACCESS_TOKEN_INVALID: [401, 'The token of Cloudflare Access is invalid'],
  ACCESS_SERVICE_TOKEN: [403, 'A service token of Cloudflare Access is not a user'],
  ACCESS_WITHOUT_EMAIL: [403, 'The token of Cloudflare Access has no email address'],
})
