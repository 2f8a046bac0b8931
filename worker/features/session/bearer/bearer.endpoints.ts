import { isSentByVisitor } from '../../../http/endpoint.ts'
import { defineEndpoints } from '../../../http/feature.ts'
import { proofErrors } from './bearer.errors.ts'

export const bearerEndpoints = defineEndpoints({
  errorsAt: (endpoint) =>
    isSentByVisitor(endpoint) && endpoint.changes.includes('session') ? [proofErrors.INVALID_DPOP_PROOF] : [],
})
