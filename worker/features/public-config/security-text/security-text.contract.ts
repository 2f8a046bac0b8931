import { get } from '../../../http/endpoint.ts'

export const securityTextContract = {
  securityText: get('/.well-known/security.txt', {
    // Researchers look for it at the origin.
    at: { also: ['/.well-known/security.txt'] },
    origins: { any: true },
    summary: 'Returns where vulnerabilities are reported (RFC 9116)',
    access: 'visitor',
    answer: 'text',
    errors: [],
    budget: {},
    changes: [],
  }),
}
