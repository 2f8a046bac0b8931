import { catalogue } from '../../kit/errors.ts'

export const auditErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION: [
    403,
    'You are not allowed to read the audit log of this organization',
  ],
  INVALID_CURSOR: [400, 'Invalid cursor'],
})
