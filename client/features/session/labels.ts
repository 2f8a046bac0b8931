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

/** A function for names such as "Firefox 131 on Linux". */
export function useDeviceNames(): (device: Device | null | undefined, otherwise?: string | null) => string {
  const t = useTexts(texts)
  return (device, otherwise) =>
    device?.browser && device.os
      ? t.on(device.browser, device.os)
      : device?.browser || device?.os || otherwise || t.unknown
}

/** @param otherwise the name of an unknown device */
export const useDeviceName = (device: Device | null | undefined, otherwise?: string | null): string =>
  useDeviceNames()(device, otherwise)

/** A function for names such as "Vienna, Austria". */
export function usePlaceNames(): (place: Place | null | undefined) => string {
  const language = useLanguage()
  return (place) => {
    const country = place?.country && new Intl.DisplayNames(language, { type: 'region' }).of(place.country)
    return [place?.city, country].filter(Boolean).join(', ')
  }
}

/** @param place with the country as ISO 3166-1 code */
export const usePlace = (place: Place | null | undefined): string => usePlaceNames()(place)

/** A function for the name of a method of sign-in or step-up, after "with", or of a provider. */
export function useMethodNames(): (method: string | null | undefined) => string | undefined {
  const t = useTexts(texts)
  const { providers } = useConfig()
  return (method) => {
    if (!method) return undefined
    const known = idOfMethod(method)
    return (
      (t.methods as Partial<Record<string, string | null>>)[known] ?? providers.find(({ id }) => id === known)?.name
    )
  }
}

export const useMethodName = (method: string | null | undefined): string | undefined => useMethodNames()(method)
