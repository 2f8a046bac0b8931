import { useConfig } from '../../lib/api.ts'
import type { OwnSessionMethod } from '../../lib/auth/endpoints.ts'
import { defineTexts, useLanguage, useTexts } from '../../lib/texts/texts.ts'

const texts = defineTexts('sessionLabels', {
  unknown: 'Unknown browser',
  on: '{browser} on {os}',
  methods: {
    email: 'a password',
    username: 'a password',
    'phone-number': 'a password',
    'sign-up': 'a password',
    password: 'a password',
    passkey: 'a passkey',
    'magic-link': 'an email link',
    'email-verification': 'an email link',
    'email-otp': 'an email code',
    'email-code': 'an email code',
    'phone-otp': 'a text message',
    'phone-code': 'a text message',
    totp: 'an authenticator app',
    'backup-code': 'a backup code',
    'cloudflare-access': 'Cloudflare Access',
    anonymous: null,
    impersonation: null,
  } satisfies Record<OwnSessionMethod | StepUpMethod, string | null>,
})

/** The methods of a step-up inside a session. */
type StepUpMethod = 'password' | 'totp' | 'backup-code' | 'email-code' | 'phone-code'

interface Device {
  browser: string | null
  os: string | null
}

interface Place {
  city: string | null
  country: string | null
}

export const isPhone = (os: string | null | undefined): boolean => os === 'iOS' || os === 'Android'

/** "Firefox 131 on Linux". @param otherwise the name of an unknown device */
export function useDeviceName(device: Device | null | undefined, otherwise?: string | null): string {
  const t = useTexts(texts)
  if (device?.browser && device.os) return t.on(device.browser, device.os)
  return device?.browser || device?.os || otherwise || t.unknown
}

/** "Vienna, Austria". @param place with the country as ISO 3166-1 code */
export function usePlace(place: Place | null | undefined): string {
  const language = useLanguage()
  const country = place?.country && new Intl.DisplayNames(language, { type: 'region' }).of(place.country)
  return [place?.city, country].filter(Boolean).join(', ')
}

/** The name of a method of sign-in or step-up, after "with", or of a provider. A step-up at a provider is `provider:<id>`. */
export function useMethodName(method: string | null | undefined): string | undefined {
  const t = useTexts(texts)
  const { providers } = useConfig()
  if (!method) return undefined
  const providerId = method.replace(/^provider:/, '')
  return (
    (t.methods as Partial<Record<string, string | null>>)[method] ?? providers.find(({ id }) => id === providerId)?.name
  )
}
