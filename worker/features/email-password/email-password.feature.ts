import { defineFeature } from '../../http/feature.ts'

export const emailPassword = defineFeature({
  name: 'email-password',
  places: ['choosingPassword'],
  gives: ['wayIn', 'keeps'],
  endpoints: async () => (await import('./email-password.endpoints.ts')).emailPasswordEndpoints,
  parts: async () => (await import('./email-password.parts.ts')).emailPasswordParts,
  ends: async () => (await import('./email-password.ends.ts')).emailPasswordEnds,
})
