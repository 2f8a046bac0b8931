import { catalogue } from '../../../kit/errors.ts'

export const authorizeErrors = catalogue({
  INVALID_REDIRECT_URI: [400, 'Invalid redirect URI'],
  NO_CONSENT_PAGE_PROVIDED: [500, 'No consent page provided'],
})
