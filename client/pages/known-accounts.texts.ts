import type { OwnSessionMethod } from '../lib/auth/endpoints.ts'
import { defineTexts } from '../lib/texts/define.ts'

export const knownAccountsTexts = defineTexts('knownAccounts', {
  label: 'Accounts of this browser',
  continueAs: 'Continue as {name}',
  remove: 'Remove {name} from this browser',
  notMine: 'Not your device? Remove the accounts',
  otherWay: 'Sign in another way',
  methods: {
    email: 'Password',
    username: 'Password',
    'phone-number': 'Password',
    'sign-up': 'Password',
    'email-verification': 'Password',
    passkey: 'Passkey',
    'magic-link': 'Email link',
    'email-otp': 'Email code',
    'phone-otp': 'Text message',
    'cloudflare-access': 'Cloudflare Access',
    sso: 'Single sign-on',
  } satisfies Record<Exclude<OwnSessionMethod, 'anonymous' | 'impersonation'> | 'sso', string>,
  errors: {
    KNOWN_ACCOUNT_NOT_FOUND: 'This browser no longer knows the account. Sign in with the address.',
  } as Record<string, string>,
})
