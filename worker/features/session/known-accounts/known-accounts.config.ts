import { defineOptions, flag, section } from '../../../kit/options.ts'

export const knownAccountsCookie = 'known_accounts'

export const knownAccountsOptions = defineOptions(
  'knownAccounts',
  () =>
    section({
      /**
       * The sign-in offers the accounts that have signed in with this browser. Off in the strict profile: other users of the
       * device see the first names and parts of the addresses.
       */
      enabled: flag(true),
    }),
  { strict: { enabled: false } },
)
