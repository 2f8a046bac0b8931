import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import { listOf } from '../../kit/page.ts'

export const sharedSignalsContract = {
  ssfConfiguration: get('/.well-known/ssf-configuration', {
    summary: 'Returns the metadata of the transmitter of security events (Shared Signals Framework 1.0)',
    access: 'visitor',
    // RFC 8615.
    alsoAt: () => ['/.well-known/ssf-configuration'],
    anyOrigin: true,
    answer: z.object({
      spec_version: z.string(),
      issuer: z.string(),
      jwks_uri: z.string(),
      delivery_methods_supported: listOf(z.string()),
      default_subjects: z.literal('ALL'),
    }),
    errors: [],
    budget: {},
    changes: [],
  }),
}
