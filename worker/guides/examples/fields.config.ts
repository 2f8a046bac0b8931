import type { Config } from 'gatehouse-auth'

export const config: Config = {
  appName: 'Acme',
  user: {
    additionalFields: {
      team: {
        type: 'string',
        required: true,
        label: { en: 'Team', de: 'Mannschaft' },
        signUp: true, // on the hosted sign-up
        profile: true, // on the hosted profile page
        minLength: 2,
        maxLength: 40,
      },
      size: {
        type: 'string',
        label: { en: 'Shirt size', de: 'T-Shirt-Größe' },
        profile: true,
        options: ['S', { value: 'M', label: { en: 'Medium', de: 'Mittel' } }, 'L'],
      },
      // Only your server sets it; responses do not contain it.
      creditLimit: { type: 'number', input: false, returned: false, defaultValue: 100 },
    },
  },
  session: {
    additionalFields: {
      plan: { type: 'string', defaultValue: 'free' },
      // From the user who signs in, as get-session shows them.
      teamAtSignIn: { type: 'string', defaultValue: (user: { team?: string }) => user.team },
    },
  },
}
