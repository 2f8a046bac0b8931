import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { after, dayOf, days, ms } from '../../../kit/time.ts'
import { securityTextOptions } from './security-text.config.ts'
import { securityTextContract } from './security-text.contract.ts'

/** The fields of RFC 9116, section 2.5. */
function securityText(scope: Scope): string {
  const { contact, policy, encryption, acknowledgments, hiring, languages, validity } = securityTextOptions.of(scope)
  const end = new Date(dayOf(after(scope.now(), validity)) * ms(days(1)))
  const fields: (readonly [name: string, value: string | null])[] = [
    ...contact.map((one) => ['Contact', one] as const),
    ['Expires', end.toISOString()],
    ['Encryption', encryption],
    ['Acknowledgments', acknowledgments],
    ['Preferred-Languages', languages.length > 0 ? languages.join(', ') : null],
    ['Canonical', `${scope.settings.baseUrl}/.well-known/security.txt`],
    ['Policy', policy],
    ['Hiring', hiring],
  ]
  return fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

export const securityTextEndpoints = defineEndpoints({
  routes: routes(securityTextContract, {
    securityText: ({ scope }) =>
      new Response(securityText(scope), {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
      }),
  }),
})
