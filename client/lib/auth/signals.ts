/** The views that a successful call may have made out of date. */
export type Signal = 'session' | 'organizations' | 'activeOrganization' | 'activeMember' | 'passkeys'

const rules: { when: (path: string) => boolean; refresh: Signal }[] = [
  {
    refresh: 'session',
    when: oneOf('/sign-out', '/update-user', '/delete-user', '/verify-email', '/change-email', '/change-password'),
  },
  { refresh: 'session', when: below('/sign-in', '/sign-up', '/two-factor', '/magic-link/verify') },
  { refresh: 'session', when: oneOf('/revoke-sessions', '/email-otp/verify-email', '/passkey/verify-authentication') },
  { refresh: 'session', when: oneOf('/phone-number/update', '/phone-number/verify', '/multi-session/set-active') },
  { refresh: 'session', when: oneOf('/multi-session/revoke', '/one-tap/callback') },
  { refresh: 'session', when: oneOf('/admin/impersonate-user', '/admin/stop-impersonating') },
  // These move the session's active organization on the server.
  {
    refresh: 'session',
    when: oneOf(
      '/organization/set-active',
      '/organization/create',
      '/organization/delete',
      '/organization/leave',
      '/organization/accept-invitation',
    ),
  },
  {
    refresh: 'organizations',
    when: oneOf(
      '/organization/create',
      '/organization/update',
      '/organization/delete',
      '/organization/leave',
      '/organization/accept-invitation',
    ),
  },
  { refresh: 'activeOrganization', when: below('/organization') },
  {
    refresh: 'activeMember',
    when: oneOf('/organization/update-member-role', '/organization/set-active', '/organization/leave'),
  },
  {
    refresh: 'passkeys',
    when: oneOf('/passkey/verify-registration', '/passkey/delete-passkey', '/passkey/update-passkey'),
  },
]

// A question about something, posted: it changes nothing, and views that ask it would refresh themselves for ever.
const questions = oneOf('/organization/check-slug', '/organization/has-permission')

/** What a successful call makes out of date. Reading changes nothing. */
export function signalsOf(path: string, method: string): Set<Signal> {
  if (method === 'GET' || questions(path)) return new Set()
  return new Set(rules.filter((rule) => rule.when(path)).map((rule) => rule.refresh))
}

function oneOf(...paths: string[]): (path: string) => boolean {
  return (path) => paths.includes(path)
}

function below(...parents: string[]): (path: string) => boolean {
  return (path) => parents.some((parent) => path === parent || path.startsWith(`${parent}/`))
}
