import { createAuthClient } from 'better-auth/client'
import { inferAdditionalFields } from 'better-auth/client/plugins'

export const auth = createAuthClient({
  baseURL: 'https://accounts.acme.com',
  plugins: [inferAdditionalFields({ user: { team: { type: 'string' } }, session: { plan: { type: 'string' } } })],
})

export async function join(name: string, email: string, password: string, team: string) {
  const { data, error } = await auth.signUp.email({ name, email, password, team })
  // error: { code: 'TEAM_IS_REQUIRED', message: 'team is required', issues: [{ path: 'team', rule: 'required', ... }] }
  return error ? error.code : data.user
}
