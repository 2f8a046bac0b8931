import { useConfig } from '../../lib/api.ts'
import type { FactorMethod, OwnSessionMethod } from '../../lib/auth/endpoints.ts'
import { idOfMethod } from '../../lib/methods.ts'
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
    'phone-otp': 'a text message',
    totp: 'an authenticator app',
    'backup-code': 'a backup code',
    'cloudflare-access': 'Cloudflare Access',
    sso: 'single sign-on',
    anonymous: null,
    impersonation: null,
  } satisfies Record<OwnSessionMethod | FactorMethod | 'sso', string | null>,
})

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

/** The name of a method of sign-in or step-up, after "with", or of a provider. */
export function useMethodName(method: string | null | undefined): string | undefined {
  const t = useTexts(texts)
  const { providers } = useConfig()
  if (!method) return undefined
  const known = idOfMethod(method)
  return (t.methods as Partial<Record<string, string | null>>)[known] ?? providers.find(({ id }) => id === known)?.name
}
