// The template of the deploy button and of Cloudflare's gallery (github.com/cloudflare/templates, CONTRIBUTING.md): a folder
// that needs nothing of this repository. Decision 159.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exportedClasses, templateToml, tomlToJsonc } from '../cli/template.ts'
import { root } from './tools.ts'

const name = 'gatehouse-auth-template'

const description =
  'Sign-up, sign-in, sessions, organizations and an OAuth server for your product, in one Worker of your own account.'

/** Descriptions that the deploy button shows for values to fill in. */
const bindings = {
  BASE_URL: {
    description:
      'The origin that users see: `https://<name of the Worker>.<your subdomain>.workers.dev`, or your own domain such as `https://accounts.your-domain`.',
  },
  MAIL_FROM: {
    description: 'The sender of mails, at a domain that is verified at [Resend](https://resend.com/domains).',
  },
  GATEHOUSE_SECRET: {
    description:
      'Signs cookies and seals stored secrets. Generate it with `openssl rand -base64 32`, and **keep a copy**: without it, sealed data is lost.',
  },
  RESEND_API_KEY: { description: 'An API key of [Resend](https://resend.com/api-keys), which sends the mails.' },
  DB: { description: 'Users, accounts, sessions and organizations.' },
  KV: { description: 'Payloads of mailed links, and keys above their rate limit.' },
  ARCHIVE: { description: 'Records of the audit log that are older than a month. R2 must be enabled in the account.' },
}

const manifest = (version: string, wrangler: string) => ({
  name,
  description,
  private: true,
  type: 'module',
  engines: { node: '>=22.12' },
  cloudflare: {
    label: 'Gatehouse Accounts',
    products: ['Workers', 'D1', 'Durable Objects'],
    categories: ['starter', 'storage'],
    bindings,
  },
  scripts: {
    dev: 'npm run db:migrate && wrangler dev',
    'db:migrate': 'wrangler d1 migrations apply DB --local',
    'db:migrate:remote': 'wrangler d1 migrations apply DB --remote',
    deploy: 'npm run db:migrate:remote && wrangler deploy',
    check: 'wrangler deploy --dry-run',
    doctor: 'gatehouse-auth doctor --remote',
  },
  dependencies: { 'gatehouse-auth': version },
  devDependencies: { wrangler },
})

const entry = () => `import { env } from 'cloudflare:workers'
import { gatehouse } from 'gatehouse-auth'

const { ENVIRONMENT, MAIL_FROM } = env as unknown as Record<string, string>

const accounts = gatehouse({
  appName: 'Acme',
  emailAndPassword: { commonPasswords: 'refuse' },
  user: { disposableAddresses: { action: 'refuse' } },
  // A right password from an unknown place needs a code from the mailbox.
  risk: { level: 'challenge' },
  emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },
  // On your machine, mails are at http://localhost:8787/dev/mailbox.
  mail: ENVIRONMENT === 'development' ? {} : { transport: 'resend', from: { address: MAIL_FROM } },
})

export default accounts.handler
export const { ServerApi } = accounts
export { ${exportedClasses().join(', ')} } from 'gatehouse-auth'
export type Accounts = typeof accounts
`

const readme = `# Gatehouse Accounts

[![Deploy to Cloudflare](https://deploy.workers.cloudflare.com/button)](https://deploy.workers.cloudflare.com/?url=https://github.com/cloudflare/templates/tree/main/${name})

<!-- dash-content-start -->

${description}

Users sign up and sign in with passwords, passkeys, mailed links and codes, or social providers. They manage sessions, two-factor
authentication and organizations on hosted pages in your brand. Your product calls the API from the browser, a server or
another Worker, or signs users in with OpenID Connect.

- **Workers** serve the API and the app as static assets.
- **D1** stores users, accounts, sessions and organizations.
- **Durable Objects** decide one-time codes and strict limits exactly once.
- **R2** stores old records of the audit log.
- **KV** stores mailed links, and a cron trigger retries mails and webhooks.

A paid Workers plan is required: a password hash takes about 60 ms of CPU.

<!-- dash-content-end -->

## Getting started

1. Install the packages, and write \`.dev.vars\` with a secret for this machine:

       npm install
       npx gatehouse-auth init

2. Start it, and sign up at http://localhost:8787/sign-up. Mails are at http://localhost:8787/dev/mailbox.

       npm run dev

3. Set \`BASE_URL\` and \`MAIL_FROM\` in \`wrangler.jsonc\`, then deploy:

       npx gatehouse-auth deploy

4. After the deploy button, or after a change of the configuration, check each step:

       npm run doctor

Change the product's name, its brand and the ways to sign in in \`src/index.ts\`. The guides are in
\`node_modules/gatehouse-auth/worker/guides\`.
`

/** The secrets. The deploy button asks for each line; the Worker refuses a secret of less than 32 characters. */
const secrets = `GATEHOUSE_SECRET=replace-me # openssl rand -base64 32
RESEND_API_KEY=replace-me # https://resend.com/api-keys
`

const ignored = [
  'node_modules/',
  '.wrangler/',
  'dist/',
  '.dev.vars',
  '.dev.vars.*',
  '!.dev.vars.example',
  '.env*',
  '*.log',
]

/** The configuration with the variables of the template; its Worker is reachable without an own domain. */
function configuration(): string {
  const toml = templateToml(name)
    .replace(
      /^# An address at workers\.dev.*\n/m,
      '# Set it to false when users reach the Worker at your own domain.\n',
    )
    .replace('workers_dev = false', 'workers_dev = true')
    .replace(/^(BASE_URL = .*)$/m, '$1\nMAIL_FROM = "accounts@example.com"')
  return tomlToJsonc(toml)
}

/** The files of the template by path. @param version of the package */
export function templateFiles(version: string): Record<string, string> {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { wrangler: string }
  }
  return {
    'package.json': `${JSON.stringify(manifest(version, devDependencies.wrangler), null, 2)}\n`,
    'wrangler.jsonc': configuration(),
    'src/index.ts': entry(),
    '.dev.vars.example': secrets,
    '.gitignore': `${ignored.join('\n')}\n`,
    'README.md': readme,
  }
}

/** Writes the template into a folder. */
export function writeTemplate(folder: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const [path, text] of Object.entries(templateFiles(version))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
