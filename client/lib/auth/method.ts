/** Paths whose method the rule below would get wrong when they are called without an argument (or with one). */
const methods: Record<string, 'GET' | 'POST'> = {
  '/get-session': 'GET',
  '/sign-out': 'POST',
  '/revoke-sessions': 'POST',
  '/revoke-other-sessions': 'POST',
  '/delete-user': 'POST',
  '/organization/list': 'GET',
  '/organization/get-full-organization': 'GET',
  '/organization/get-active-member': 'GET',
  '/two-factor/enable': 'POST',
  '/two-factor/disable': 'POST',
  '/two-factor/send-otp': 'POST',
  '/two-factor/generate-backup-codes': 'POST',
  '/sign-in/anonymous': 'POST',
  '/admin/list-users': 'GET',
  '/admin/stop-impersonating': 'POST',
  '/api-key/create': 'POST',
  '/api-key/delete': 'POST',
  '/api-key/delete-all-expired-api-keys': 'POST',
  '/passkey/register': 'POST',
  '/passkey/authenticate': 'POST',
}

/** The fixed table, else what the caller says, else POST when there is a body to send, else GET. */
export function methodFor(path: string, hasBody: boolean, asked?: string): string {
  return methods[path] ?? asked?.toUpperCase() ?? (hasBody ? 'POST' : 'GET')
}
