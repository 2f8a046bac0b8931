import { catalogue } from '../../kit/errors.ts'

export const webhookErrors = catalogue({
  EVENT_NOT_FOUND: [404, 'There is no such event that is undelivered'],
})
