import { catalogue } from '../../../kit/errors.ts'

export const connectionErrors = catalogue({ CONNECTION_NOT_FOUND: [404, 'Connection not found'] })
