import { getJson, getObject, isObject, ProviderResponseError } from '../model/fetch-json.ts'
import { defineProvider, type Profile } from '../model/provider.ts'

const api = 'https://api.github.com'
const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github = defineProvider({
  id: 'github',
  name: 'GitHub',
  authorization: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  scopes: ['read:user', 'user:email'],
  pkce: false,
  clientAuthentication: 'post',
  loginHint: 'login',
  // The profile contains public addresses only, and does not say whether they are verified.
  async fetchProfile({ accessToken }, { outside }) {
    const [profile, emails] = await Promise.all([
      getObject({ outside }, `${api}/user`, { accessToken, headers }),
      getJson({ outside }, `${api}/user/emails`, { accessToken, headers }).catch(unlessRefused),
    ])
    return { ...profile, ...chooseEmail(profile.email, emails) }
  },
  toUser: ({ id, name, login, email, avatar_url, email_verified }) => ({
    id,
    name: name || login,
    email,
    image: avatar_url,
    emailVerified: email_verified,
  }),
})

/** Without the scope `user:email`, or the permission of a GitHub App, the list returns 403 or 404. */
function unlessRefused(error: unknown): null {
  if (error instanceof ProviderResponseError && /^status 40[134]$/.test(error.message)) return null
  throw error
}

/** The public address, otherwise the primary one, and whether it is verified. */
function chooseEmail(shown: unknown, list: unknown): Pick<Profile, 'email' | 'email_verified'> {
  const emails = Array.isArray(list) ? list.filter(isObject) : []
  const chosen = emails.find(({ email, primary }) => (shown ? email === shown : primary === true))
  return { email: shown ?? chosen?.email, email_verified: chosen?.verified }
}
