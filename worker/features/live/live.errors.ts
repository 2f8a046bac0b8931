import { catalogue } from '../../kit/errors.ts'

export const liveErrors = catalogue({
  UPGRADE_REQUIRED: [426, 'This address opens a WebSocket'],
})
