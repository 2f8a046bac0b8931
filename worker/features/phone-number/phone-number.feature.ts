import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { phoneNumberOptions, signUpByNumber } from './phone-number.config.ts'
import type { OptionalPublicConfiguration } from './phone-number.contract.ts'

const publicPhoneNumber = (scope: Scope): OptionalPublicConfiguration => ({
  features: { phoneNumber: true, phoneSignUp: signUpByNumber(scope) !== null },
  phoneCountry: scope.request.place.country,
  phoneCode: { digits: phoneNumberOptions.of(scope).otpLength },
  lifetimes: { phoneCode: phoneNumberOptions.of(scope).expiresIn },
})

export const phoneNumber = defineFeature({
  name: 'phone-number',
  options: phoneNumberOptions,
  publicConfiguration: publicPhoneNumber,
  shows: { user: ['phoneNumber', 'phoneNumberVerified'] },
  userFacts: { number: ({ phoneNumber, phoneNumberVerified }) => (phoneNumberVerified ? phoneNumber : null) },
  places: ['creatingUser', 'updatingUser'],
  gives: ['wayIn', 'userFields', 'keeps', 'revokes'],
  endpoints: async () => (await import('./phone-number.endpoints.ts')).phoneNumberEndpoints,
  parts: async () => (await import('./phone-number.parts.ts')).phoneNumberParts,
  ends: async () => (await import('./phone-number.ends.ts')).phoneNumberEnds,
})
