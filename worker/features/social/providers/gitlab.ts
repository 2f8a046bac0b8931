import * as z from 'zod'
import { withoutEnd } from '../../../kit/text-end.ts'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'

/** https://docs.gitlab.com/api/oauth2/ */
export interface GitlabOptions extends ProviderOptions {
  /** The address of a self-hosted instance. Default: `https://gitlab.com`. */
  issuer?: string
}

const at =
  (path: string) =>
  ({ issuer = 'https://gitlab.com' }: GitlabOptions) =>
    `${withoutEnd(issuer, '/')}${path}`

export const gitlab = defineProvider<GitlabOptions>({
  id: 'gitlab',
  name: 'GitLab',
  options: { issuer: z.string() },
  authorization: at('/oauth/authorize'),
  token: at('/oauth/token'),
  scopes: ['read_user'],
  pkce: true,
  clientAuthentication: 'post',
  async fetchProfile({ accessToken }, { options, outside }) {
    const profile = await getObject({ outside }, at('/api/v4/user')(options), { accessToken })
    // Blocked, deactivated, or locked users.
    return profile.state === 'active' && profile.locked !== true ? profile : null
  },
  toUser: ({ id, name, username, email, avatar_url, confirmed_at }) => ({
    id,
    name: name || username,
    email,
    image: avatar_url,
    // `email` is the confirmed address. GitLab stores an unconfirmed change elsewhere.
    emailVerified: typeof confirmed_at === 'string' && confirmed_at !== '',
  }),
})
