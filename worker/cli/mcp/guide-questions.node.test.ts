import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/tools.ts'
import { searchGuides } from './guides.ts'

/** Questions of developers, and the guides that answer them. */
const questions: [question: string, ...guides: string[]][] = [
  ['protect a page for members of an organization in Next.js', 'frameworks', 'organizations', 'server-rendered-app'],
  ['add a language translation', 'customise-mails', 'brand'],
  ['CORS error localhost', 'troubleshooting', 'single-page-app', 'components'],
  ['pasword reset', 'email-and-password'],
  ['hide username', 'email-and-password', 'options', 'customise-fields', 'troubleshooting'],
  ['magic link expires', 'magic-links-and-codes'],
  ['how do I enable 2fa', 'two-factor'],
  ['import users from auth0', 'move-in'],
  ['migrate from clerk', 'move-in'],
  ['export all users', 'move-in', 'operate'],
  ['rotate the secret', 'operate'],
  ['change the logo and colours', 'customise-mails', 'options'],
  ['sms code login', 'phone'],
  ['sso with saml', 'single-sign-on'],
  ['okta scim provisioning', 'directory-sync'],
  ['add an administrator', 'admin', 'operate'],
  ['ban a user', 'admin'],
  ['impersonate a user for support', 'admin'],
  ['login with google', 'social-sign-in'],
  ['sign in with apple private relay', 'social-sign-in'],
  ['connect a custom openid connect provider', 'generic-oauth'],
  ['passkey without password', 'passkeys'],
  ['invite members to a team', 'organizations'],
  ['custom roles and permissions', 'roles-and-permissions'],
  ['add a field to the user', 'customise-fields'],
  ['run code after sign-up', 'customise-hooks'],
  ['receive a webhook when a user is deleted', 'webhooks'],
  ['verify webhook signature', 'webhooks'],
  ['verify a JWT in my back end', 'verify-tokens', 'back-end'],
  ['express middleware', 'back-end', 'frameworks', 'server-rendered-app'],
  ['call from another cloudflare worker with a service binding', 'another-worker'],
  ['api keys for my customers', 'api-keys'],
  ['react component for sign in', 'components', 'own-components'],
  ['embed the sign-in form in plain HTML', 'embed'],
  ['shadcn components', 'own-components'],
  ['single page app on another domain', 'single-page-app'],
  ['react native expo app', 'mobile'],
  ['playwright tests with a signed in user', 'testing'],
  ['mcp server authorization', 'mcp', 'agents', 'resources'],
  ['give an AI agent limited access', 'agents'],
  ['claude code mcp guides', 'ai-tools'],
  ['stripe subscription', 'billing'],
  ['audit log export to s3', 'audit'],
  ['deploy to cloudflare', 'operate', 'install'],
  ['staging environment', 'environments'],
  ['upgrade to a new version', 'upgrade'],
  ['how much does it cost', 'limits-and-cost'],
  ['backup and restore the database', 'operate'],
  ['let other apps sign in with my product', 'oauth-client', 'services', 'resources', 'mcp'],
  ['INVALID_ORIGIN', 'troubleshooting'],
]

it('at least 47 of 50 questions are answered by one of the first three sections', () => {
  expect(questions).toHaveLength(50)
  const missed = questions.filter(([question, ...guides]) => {
    const found = searchGuides(join(root, 'worker/guides'), question, 3)
    return !guides.some((guide) => new RegExp(`^${guide} > `, 'm').test(found))
  })
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(3)
})
