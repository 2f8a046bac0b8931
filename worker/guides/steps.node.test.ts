import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/**
 * The numbered steps of the guides: their number in each section, and the tests that run them. A new step fails until a test
 * has it. `by hand`: a decision, or a page of another company.
 */
type Section = readonly [steps: number, ...tests: string[]]

const folders = { features: 'worker/features', guides: 'worker/guides', cli: 'worker/cli', e2e: 'client/e2e' } as const

const printed = 'guides/package.all.e2e.ts'
const commands = 'guides/commands.e2e.ts'
const tasks = 'guides/task-guides.test.ts'
const concepts = 'guides/concepts.test.ts'
const templates = 'worker/scripts/stranger.all.e2e.ts'
const agents = 'guides/agents.test.ts'
const services = 'guides/services.test.ts'
const operate = 'guides/operate.test.ts'
const social = 'features/social/social.test.ts'
const disaster = 'features/admin/disaster.test.ts'

const guides: Record<string, Record<string, Section>> = {
  'admin.md': { Administration: [4, tasks, printed, 'e2e/admin.e2e.ts'] },
  'agents.md': {
    'From nothing to an approved payment': [7, agents],
    'Act on the token of a user': [4, agents],
    'Accounts at providers': [4, 'features/agents/vault/vault.test.ts'],
  },
  'ai-tools.md': { 'AI tools': [4, 'cli/mcp.node.test.ts', 'worker/skills/skills.node.test.ts'] },
  'another-worker.md': { 'Another Worker': [4, printed] },
  'api-keys.md': { 'API keys': [3, tasks, printed, 'e2e/api-key.e2e.ts'] },
  'audit.md': { Verify: [2, commands, 'cli/audit/audit.node.test.ts'] },
  'back-end.md': { 'A back end in any language': [3, printed] },
  'better-auth-clients.md': { 'The published better-auth clients': [2, printed] },
  'billing.md': { Billing: [4, tasks, 'features/billing/billing.test.ts'] },
  'components.md': { 'Components for React': [4, 'e2e/components.e2e.ts'] },
  'concept-agents.md': { 'Three ways to a token': [3, concepts, agents, 'features/agents/vault/vault.test.ts'] },
  'concept-keys.md': { Choose: [4, concepts, printed] },
  'concept-step-up.md': { How: [3, concepts] },
  'configuration.md': {
    'Create the first administrator': [3, 'features/admin/admin.test.ts', 'e2e/admin.e2e.ts'],
    'Sign in with Gatehouse': [3, tasks, services, 'e2e/identity-provider.e2e.ts'],
    Appearance: [4, 'features/public-config/brand/texts.test.ts', 'e2e/brand.e2e.ts'],
    Billing: [3, tasks, 'features/billing/billing.test.ts'],
  },
  'customise-fields.md': { 'On users': [2, 'guides/customise-fields.test.ts', 'e2e/fields.e2e.ts'] },
  'customise-hooks.md': {
    'Add a hook': [2, 'guides/customise-hooks.test.ts'],
    'Add a webhook': [4, 'guides/customise-hooks.test.ts', commands],
  },
  'customise-mails.md': {
    'Set colours and a logo': [2, 'guides/customise-mails.test.ts'],
    'Change the text of a mail': [2, 'guides/customise-mails.test.ts'],
    'Link to your own pages': [2, 'guides/customise-mails.test.ts'],
  },
  'directory-sync.md': { 'Directory sync': [5, 'features/directory/server/identity-providers.test.ts'] },
  'disaster.md': {
    'D1, restored to an earlier time': [5, disaster, commands],
    'D1, lost': [5, disaster, commands, 'cli/backup/backup.all.e2e.ts'],
  },
  'during-an-attack.md': { Afterwards: [3, 'features/risk/threats/threats.test.ts', 'e2e/threats.e2e.ts'] },
  'email-and-password.md': { 'Email and password': [4, tasks, printed, 'e2e/account.e2e.ts'] },
  'embed.md': { 'Components without React': [3, 'e2e/embed.e2e.ts'] },
  'environments.md': { 'Several environments': [4, tasks, commands] },
  'frameworks.md': { Frameworks: [2, templates], 'How a caller is identified': [4, templates, printed] },
  'generic-oauth.md': { 'Generic OAuth and OpenID Connect': [5, tasks, printed, social] },
  'install.md': { Install: [5, printed, templates], Upgrade: [2, commands] },
  'introduction.md': { 'How a product uses it': [3, concepts, templates] },
  'limits-and-cost.md': { 'Limits and cost': [3, 'by hand'] },
  'live.md': { 'Live updates': [4, printed, 'e2e/live.e2e.ts'] },
  'magic-links-and-codes.md': { 'Magic links and codes': [3, tasks, printed, 'e2e/passwordless.e2e.ts'] },
  'mcp.md': { 'A tool server for agents': [4, 'features/identity-provider/mcp/mcp.test.ts'] },
  'mobile.md': { Mobile: [3, printed], 'Expo and React Native': [5, printed, 'worker/rpc/expo.test.ts'] },
  'move-in.md': {
    'Move in, and out': [5, 'cli/move-in.e2e.ts'],
    Passwords: [2, 'cli/move-in.e2e.ts'],
    'Sessions of better-auth': [3, 'cli/import/better-auth.e2e.ts'],
  },
  'oauth-client.md': {
    'Sign in with Acme': [4, tasks],
    'Roles, organizations and groups': [2, tasks],
    'Cloudflare Access': [3, 'by hand'],
  },
  'operate.md': {
    Deploy: [5, commands, 'cli/deploy/deploy.e2e.ts', 'cli/doctor/doctor.e2e.ts'],
    'Deploy by hand': [6, commands],
    Users: [3, commands],
    'Rotate the secret': [3, operate, commands],
    'Back up and restore': [3, commands, disaster],
    'Deliver undelivered work again': [4, operate, 'e2e/undelivered.e2e.ts'],
    'Deliver by a queue': [3, 'worker/identity/jobs/jobs.test.ts'],
    'Where the data is': [7, commands, 'cli/deploy/deploy.e2e.ts'],
  },
  'organizations.md': { 'Organizations and teams': [4, tasks, printed, 'e2e/organization.e2e.ts'] },
  'own-components.md': { 'Components that you own': [4, 'e2e/registry.e2e.ts'] },
  'passkeys.md': { Passkeys: [3, tasks, printed, 'e2e/passkey.e2e.ts'] },
  'phone.md': { 'Phone numbers': [3, tasks, printed] },
  'quick-start.md': { 'Quick start': [6, printed, templates] },
  'resources.md': { 'Resource servers: APIs that accept tokens': [5, services] },
  'roles-and-permissions.md': { 'Roles and permissions': [4, tasks, printed] },
  'server-keys.md': { 'Server keys': [5, commands, 'features/server-keys/use-server-key.test.ts'] },
  'server-rendered-app.md': { 'A server-rendered app': [3, printed] },
  'services.md': {
    'Services: callers without a user': [3, services],
    'Register a service without a deployment': [4, services],
    'GitHub Actions': [2, services],
  },
  'shared-signals.md': {
    'Shared signals': [5, 'features/shared-signals/shared-signals.test.ts'],
    'Receivers that an administrator registers': [3, 'features/shared-signals/shared-signals.test.ts'],
  },
  'single-page-app.md': { 'A single-page app': [4, printed], 'Confirm that it is the user': [2, printed] },
  'single-sign-on.md': {
    'Single sign-on': [8, 'features/enterprise/enterprise.test.ts', 'e2e/single-sign-on.e2e.ts'],
    'Keys of a SAML connection': [4, 'features/enterprise/connections/saml-connections.test.ts'],
  },
  'social-sign-in.md': {
    'Social sign-in': [5, tasks, printed, social, 'e2e/social.e2e.ts'],
    ...Object.fromEntries(
      Object.entries({ Apple: 3, Facebook: 3, Microsoft: 2, Google: 2, X: 4, LinkedIn: 3, 'Cloudflare Access': 2 }).map(
        ([name, steps]) => [name, [steps, 'by hand'] as const],
      ),
    ),
  },
  'testing.md': {
    'In vitest': [5, 'guides/testing.all.e2e.ts'],
    'In a browser': [3, 'guides/testing.all.e2e.ts'],
  },
  'troubleshooting.md': { 'Troubleshooting by error code': [5, 'worker/checks/generated.node.test.ts'] },
  'two-factor.md': { 'Two-factor authentication': [3, tasks, printed, 'e2e/two-factor.e2e.ts'] },
  'upgrade.md': {
    Upgrade: [7, commands, 'worker/checks/upgrade.test.ts'],
    'From 0.2.0 to 0.3.0': [4, 'worker/checks/filled-upgrade.test.ts', 'worker/checks/upgrade.test.ts'],
  },
  'verify-tokens.md': {
    'Verify tokens on your own back end': [4, 'features/jwt/jwt.e2e.ts'],
    'Pass a session to an app': [2, 'features/jwt/one-time-token/one-time-token.test.ts'],
    'A recent or a stronger authentication': [3, 'features/identity-provider/authorize/step-up.test.ts'],
  },
  'webhooks.md': { Webhooks: [3, tasks, commands], 'Rotate the secret': [4, 'features/webhooks/webhooks.test.ts'] },
}

const root = join(import.meta.dirname, '../..')

/** The number of steps of each section of a guide. */
function stepsOf(file: string): Record<string, number> {
  const steps: Record<string, number> = {}
  let section = ''
  for (const line of readFileSync(join(import.meta.dirname, file), 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')) {
    section = /^#+ (.+)/.exec(line)?.[1] ?? section
    if (/^\d+\. /.test(line)) steps[section] = (steps[section] ?? 0) + 1
  }
  return steps
}

it('each numbered step of a guide is in a section with a test', () => {
  const files = globSync('*.md', { cwd: import.meta.dirname }).sort()
  const found = files.map((file) => [file, stepsOf(file)] as const).filter(([, steps]) => Object.keys(steps).length > 0)
  const listed = Object.entries(guides).map(
    ([file, sections]) =>
      [file, Object.fromEntries(Object.entries(sections).map(([name, [steps]]) => [name, steps]))] as const,
  )
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed))
})

it('the tests of the steps exist', () => {
  const named = new Set(
    Object.values(guides).flatMap((sections) => Object.values(sections).flatMap(([, ...tests]) => tests)),
  )
  named.delete('by hand')
  const path = (name: string) => {
    const [first = '', ...rest] = name.split('/')
    return first in folders ? [folders[first as keyof typeof folders], ...rest].join('/') : name
  }
  expect([...named].filter((name) => !existsSync(join(root, path(name))))).toEqual([])
})
