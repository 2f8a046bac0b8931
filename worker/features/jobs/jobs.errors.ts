import { catalogue } from '../../kit/errors.ts'

export const jobErrors = catalogue({
  JOB_NOT_FOUND: [404, 'Undelivered job not found'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_JOBS: [403, 'You are not allowed to list undelivered jobs'],
  YOU_ARE_NOT_ALLOWED_TO_REDELIVER_JOBS: [403, 'You are not allowed to redeliver jobs'],
  INVALID_CURSOR: [400, 'Invalid cursor'],
})
