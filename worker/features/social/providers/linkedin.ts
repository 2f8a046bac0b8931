import { defineProvider } from '../model/provider.ts'

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
export const linkedin = defineProvider({
  id: 'linkedin',
  name: 'LinkedIn',
  authorization: 'https://www.linkedin.com/oauth/v2/authorization',
  token: 'https://www.linkedin.com/oauth/v2/accessToken',
  userInfo: 'https://api.linkedin.com/v2/userinfo',
  scopes: ['profile', 'email', 'openid'],
  pkce: false,
  clientAuthentication: 'post',
  toUser: ({ sub, name, email, picture, email_verified }) => ({
    id: sub,
    name,
    email,
    image: picture,
    emailVerified: email_verified,
  }),
})
