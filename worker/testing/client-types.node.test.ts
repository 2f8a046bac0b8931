import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'

/**
 * The published clients in the project of a product: the newest version, which the guides recommend, and 1.2.9, on which
 * the protocol is based. newest-client.e2e.ts and better-auth-client.e2e.ts call a Worker with them.
 */
const newest = join(root, 'worker/testing/better-auth-newest')
const { dependencies } = JSON.parse(readFileSync(join(newest, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
const recommended = dependencies['better-auth']!

const versionOf = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/** Each plug-in of a client whose paths Gatehouse has, with a call, a hook and the fields of the product. */
const product = (passkeys: string, keys: string) => `
import { createAuthClient } from 'better-auth/react'
import {
  adminClient, anonymousClient, emailOTPClient, inferAdditionalFields, magicLinkClient,
  multiSessionClient, oneTimeTokenClient, organizationClient, phoneNumberClient, twoFactorClient, usernameClient,
} from 'better-auth/client/plugins'
import { passkeyClient } from '${passkeys}'
import { apiKeyClient } from '${keys}'

export const fields = {
  user: {
    company: { type: 'string', required: true, signUp: true, profile: true, maxLength: 80, label: { en: 'Company' } },
    seats: { type: 'number', required: false },
  },
  session: { plan: { type: 'string', required: true, defaultValue: 'free' } },
} as const

export const auth = createAuthClient({
  baseURL: 'https://accounts.example.com',
  plugins: [
    adminClient(), anonymousClient(), emailOTPClient(), inferAdditionalFields(fields),
    magicLinkClient(), multiSessionClient(), oneTimeTokenClient(), organizationClient({ teams: { enabled: true } }),
    phoneNumberClient(), twoFactorClient({ onTwoFactorRedirect() {} }), usernameClient(), passkeyClient(), apiKeyClient(),
  ],
})

export async function use() {
  const { data } = auth.useSession()
  const company: string | undefined = data?.user.company
  const plan: string | undefined = data?.session.plan
  const created = await auth.organization.create({ name: 'Acme', slug: 'acme' })
  const id: string | undefined = created.data?.id
  const names: string[] | undefined = auth.useListOrganizations().data?.map(({ name }) => name)
  await auth.signUp.email({ name: 'Ada', email: 'ada@example.com', password: 'correct horse', company: 'Acme' })
  // @ts-expect-error: the company is required
  await auth.signUp.email({ name: 'Ada', email: 'ada@example.com', password: 'correct horse' })
  await auth.twoFactor.enable({ password: 'correct horse' })
  await auth.twoFactor.verifyTotp({ code: '123456' })
  await auth.passkey.addPasskey({ name: 'Laptop' })
  await auth.apiKey.create({ name: 'CI' })
  await auth.signIn.magicLink({ email: 'ada@example.com' })
  await auth.signOut()
  return { company, plan, id, names }
}
`

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/**
 * Checks the product with a client. The declarations of the clients name modules of Bun and SQLite, so they can only be
 * checked with `skipLibCheck`. @param packages folders by package name @returns the compiler's output
 */
function check(code: string, packages: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
  folders.push(folder)
  const all = {
    ...packages,
    react: join(root, 'node_modules/react'),
    '@types/react': join(root, 'node_modules/@types/react'),
  }
  for (const [name, target] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(target, join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'index.ts'), code)
  const compilerOptions = {
    ...{ strict: true, target: 'ES2024', lib: ['ES2024', 'DOM', 'DOM.Iterable'], module: 'ESNext' },
    ...{ moduleResolution: 'bundler', noEmit: true, types: [] },
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }))
  try {
    return execFileSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--singleThreaded'],
      {
        encoding: 'utf8',
      },
    )
  } catch (thrown) {
    return (thrown as { stdout: string }).stdout
  }
}

describe('the types of the published client', () => {
  it(`${recommended}, which the guides recommend, fits the protocol`, () => {
    const inside = join(newest, 'node_modules')
    expect(versionOf(join(inside, 'better-auth'))).toBe(recommended)
    const packages = Object.fromEntries(
      ['better-auth', '@better-auth/passkey', '@better-auth/api-key'].map((name) => [name, join(inside, name)]),
    )
    expect(check(product('@better-auth/passkey/client', '@better-auth/api-key/client'), packages)).toBe('')
  })

  it('1.2.9 fits the protocol', () => {
    const folder = join(root, 'node_modules/better-auth')
    expect(versionOf(folder)).toBe('1.2.9')
    const plugins = 'better-auth/client/plugins'
    expect(check(product(plugins, plugins), { 'better-auth': folder })).toBe('')
  })
})

it('the guides recommend the tested newest version, and name 1.2.9', () => {
  const guide = readFileSync(join(root, 'worker/guides/better-auth-clients.md'), 'utf8')
  expect(guide).toContain(`npm install better-auth@${recommended}`)
  expect(guide).toContain('npm install better-auth@1.2.9')
})
