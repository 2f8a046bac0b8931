import { defineFeature } from '../../../http/feature.ts'
import type { PublicConfiguration } from './sign-in-methods.contract.ts'

export const signInMethods = defineFeature({
  name: 'sign-in-methods',
  publicConfiguration: (): PublicConfiguration => ({ features: { signInMethods: true } }),
  places: ['sessionIssued'],
  gives: ['aboutUser', 'wayIn'],
  endpoints: async () => (await import('./sign-in-methods.endpoints.ts')).signInMethodsEndpoints,
  parts: async () => (await import('./sign-in-methods.parts.ts')).signInMethodsParts,
})
