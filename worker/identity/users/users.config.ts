import * as z from 'zod'
import type { ProductTypes, UserFieldsOf } from '../../kit/account-types.ts'
import { additionalField } from '../../kit/additional-field.ts'
import { asciiDomain } from '../../kit/email-address.ts'
import { defineOptions, flag, limitOf, positive, type Retyped, section } from '../../kit/options.ts'
import { days, hours } from '../../kit/time.ts'
import { fieldContradictions } from './additional-fields.ts'

/** A domain in lower case, with A-labels. */
const domain = z
  .string()
  .refine((text) => asciiDomain(text) === text && text.includes('.'), 'must be a domain in lower case')

export const userOptions = defineOptions(
  'user',
  () =>
    section({
      /** Fields of users in addition to the built-in ones, by name. */
      additionalFields: z.record(z.string(), additionalField()).default({}),
      /**
       * Users that visitors of a network (an IPv4 /24 or an IPv6 /48) create, guests included; null: no limit. Users of an
       * administrator, a server, a directory or the identity provider of an organization do not count.
       */
      signUpsPerNetwork: limitOf(300, hours(1)).nullable(),
      /**
       * Addresses of services for disposable mailboxes, and of subdomains of their domains, as the address of a new user
       * or as a new address. Addresses that administrators, servers, directories and identity providers of organizations
       * set are not checked.
       */
      disposableAddresses: section({
        /** `refuse` answers 400 `DISPOSABLE_EMAIL`; `notice` writes the log line `disposable-address`. */
        action: z.enum(['off', 'notice', 'refuse']).default('off'),
        /** Further domains. */
        also: z.array(domain).default([]),
        /** Domains that are accepted although they, or the domains above them, are listed. */
        except: z.array(domain).default([]),
      }),
      changeEmail: section({
        /** Whether users can change their address. */
        enabled: flag(false),
      }),
      deleteUser: section({
        /** Whether users can delete their account. */
        enabled: flag(false),
        /** A mailed link confirms the deletion. */
        sendDeleteAccountVerification: flag(false),
        /** Lifetime of that link. */
        deleteTokenExpiresIn: positive.default(days(1)),
      }),
    }),
  {
    strict: { disposableAddresses: { action: 'refuse' } },
    contradictions: ({ deleteUser, additionalFields }) => [
      [
        deleteUser.sendDeleteAccountVerification && !deleteUser.enabled,
        'user.deleteUser.sendDeleteAccountVerification',
        'must not be true while user.deleteUser.enabled is false',
      ],
      ...Object.entries(additionalFields).flatMap(([name, field]) => fieldContradictions('user', name, field)),
    ],
  },
)

export interface TypedUserOptions<T extends ProductTypes> {
  user?: Retyped<typeof userOptions, { additionalFields?: UserFieldsOf<T['product']> }>
}
