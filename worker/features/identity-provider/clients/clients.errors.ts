import { catalogue } from '../../../kit/errors.ts'

export const clientErrors = catalogue({
  CLIENT_NOT_FOUND: [404, 'Client not found'],
  NOTHING_TO_UPDATE: [400, 'Nothing to update'],
})
