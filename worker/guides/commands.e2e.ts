import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { experimental_getWranglerCommands } from 'wrangler'
import { messageOf } from '../cli/wrangler.ts'
import { root } from '../scripts/tools.ts'
import { CliProduct } from '../testing/cli-product.ts'
import { GuideFolder } from '../testing/guide-folder.ts'

/** Commands in indented lines and inline code of guides; the tests of the guides run the blocks. */
const printed = globSync('worker/guides/*.md', { cwd: root }).flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8').replace(/```[\s\S]*?```/g, '')
  const lines = [...text.matchAll(/^ {4,}((?:npx|node|npm) .+)$/gm), ...text.matchAll(/`((?:npx) [^`\n]+)`/g)]
  return lines.flatMap(([, line]) => line!.split(' | '))
})
const commands = [...new Set(printed)].sort()

/** Commands that need an account: the test checks that wrangler has the command and its options. */
const ofAnAccount = [
  'npx gatehouse-auth deploy --env staging',
  'npx gatehouse-auth deploy --yes',
  'npx gatehouse-auth doctor --remote --env staging',
  'npx gatehouse-auth recover --restored-to 2026-11-20T12:00:00Z --remote',
  'npx gatehouse-auth recover --status --remote',
  'npx gatehouse-auth restore backup-2026-11-28.ndjson.gz --remote',
  'npx wrangler basin catalog enable',
  'npx wrangler d1 create acme --location weur',
  'npx wrangler d1 create acme-staging',
  'npx wrangler d1 migrations apply DB --remote --env staging',
  'npx wrangler deploy --env staging',
  'npx wrangler kv namespace create KV --env staging',
  'npx wrangler r2 bucket lock add acme-archive acme-audit audit/ --retention-days 400',
  'npx wrangler rollback',
  'npx wrangler secret put ACME_ID_CLIENT_ID',
  'npx wrangler secret put ACME_ID_CLIENT_SECRET',
  'npx wrangler secret put GATEHOUSE_SECRET --env staging',
  'npx wrangler secret put GITHUB_CLIENT_ID',
  'npx wrangler secret put GITHUB_CLIENT_SECRET',
  'npx wrangler secret put WEBHOOK_SECRET_ACME',
  'npx wrangler secret put WEBHOOK_SECRET_CRM_2',
  'npx wrangler tail',
  'npx wrangler d1 create gatehouse',
  'npx wrangler d1 time-travel restore DB --timestamp 2026-11-20T12:00:00Z',
  'npx wrangler kv namespace create KV',
  'npx wrangler login',
  'npx wrangler queues create <name> --jurisdiction eu',
  'npx wrangler queues create gatehouse-jobs',
  'npx wrangler secret delete GATEHOUSE_PREVIOUS_SECRETS',
  'npx wrangler secret put GATEHOUSE_PREVIOUS_SECRETS',
  'npx wrangler secret put GATEHOUSE_SECRET',
  'npx wrangler secret put NAME',
  'npx wrangler secret put SIGNALS_ACME',
  'npx wrangler secret put SMTP_HOST',
  'npx wrangler secret put WEBHOOK_SECRET_CRM',
]

/** Commands that this test runs, in this order. */
const here = [
  'npx wrangler d1 migrations apply DB --remote',
  'npx wrangler deploy',
  'npx gatehouse-auth backup backup.ndjson.gz --remote',
  'npx gatehouse-auth backup backup-2026-11-28.ndjson.gz --remote',
  'npx gatehouse-auth export --all everything',
  `node -p "crypto.randomBytes(32).toString('base64')"`,
  `node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`,
  'npx gatehouse-auth secrets --remote',
  'npx gatehouse-auth backup move.ndjson.gz --remote',
  'npx gatehouse-auth audit verify --remote',
  'npx gatehouse-auth backup r2:backups/2026-11-28.ndjson.gz --remote',
]

/** Commands that this test runs in a folder of `gatehouse init`, in this order. */
const inProduct = [
  'npx gatehouse-auth init Acme --config jsonc',
  'npx gatehouse-auth doctor',
  'npx gatehouse-auth doctor --remote',
  'npx gatehouse-auth deploy',
  'npx gatehouse-auth deploy --dry-run',
  'npx gatehouse-auth admin add you@example.com --remote',
  'npx gatehouse-auth users list --remote --search ada',
  'npx gatehouse-auth users ban eve@example.com --remote --reason spam --days 30',
  'npx gatehouse-auth users unban eve@example.com --remote',
  'npx gatehouse-auth users delete eve@example.com --remote --yes',
  'npx gatehouse-auth users show you@example.com --remote',
  'npx gatehouse-auth keys create --name billing --permissions users:read,users:write --expires 90d --local',
  'npx gatehouse-auth keys list',
  'npx gatehouse-auth keys revoke billing --remote',
]

/** The users whom the commands name. */
const users = ['you', 'eve'].map(
  (name) =>
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ('${name}', '${name}', '${name}@example.com', 1, 1, 1)`,
)

/** Commands that the tests of the package and of testing.md run. */
const elsewhere = [
  'npm install',
  'npx expo install expo-secure-store expo-web-browser expo-crypto expo-linking',
  'npx gatehouse-auth dev',
  'npx gatehouse-auth init Acme --template hono',
  // worker/scripts/stranger.all.e2e.ts, with an id that the browser got
  'npx gatehouse-auth explain ID',
  // worker/cli/init.node.test.ts
  'npx gatehouse-auth init --jurisdiction eu',
  // npm run test:products, and worker/scripts/package.all.e2e.ts for the tarball
  'npm run dev',
  'npx gatehouse-auth init Acme --template <name>',
  'npx gatehouse-auth init Acme --template next',
  'npx --yes --package=<path of the tarball> gatehouse-auth init Acme --template next',
  'npx gatehouse-auth init Acme --template next-workers',
  // It downloads from shadcn's registry; client/e2e/registry.e2e.ts copies the same files.
  'npx shadcn@latest add http://localhost:8787/registry/sign-in.json',
  'npm install --save-dev vitest @cloudflare/vitest-plugin',
  'npm install gatehouse-auth',
  'npx vitest run',
  'npx playwright test',
  'npx wrangler dev -c product/wrangler.toml -c wrangler.toml',
  'npm install gatehouse-auth@latest',
  'npx wrangler d1 migrations apply DB --local',
  'npx wrangler dev',
]

const product = new GuideFolder()
const cli = new CliProduct()
afterAll(async () => {
  product.close()
  await cli.close()
})

/** The options of a command of wrangler. */
function optionsOf(path: string[]): string[] {
  const { registry, globalFlags } = experimental_getWranglerCommands()
  const { definition } = path.reduce((node, word) => node.subtree.get(word)!, registry)
  if (definition?.type !== 'command') throw new Error(`wrangler has no command ${path.join(' ')}`)
  return [...Object.keys(definition.args ?? {}), ...Object.keys(globalFlags)].map((option) => `--${option}`)
}

describe('commands that guides print', () => {
  it('are all tested', () => {
    expect(commands).toEqual([...ofAnAccount, ...here, ...inProduct, ...elsewhere].sort())
  })

  it('wrangler has those that need an account, with their options', async () => {
    const asked = new Map<string, string[]>()
    for (const command of ofAnAccount) {
      const words = command.split(' ').slice(1)
      const options = words.filter((word) => word.startsWith('--'))
      const name = words
        .filter((word, at) => /^[a-z][a-z0-9-]*$/.test(word) && !words[at - 1]?.startsWith('--'))
        .filter((word, at) => at === 0 || !/^(?:gatehouse|acme|staging)/.test(word))
        .join(' ')
      asked.set(name, [...(asked.get(name) ?? []), ...options])
    }
    for (const [name, options] of asked) {
      const [tool, ...path] = name.split(' ')
      if (tool === 'wrangler') expect(optionsOf(path)).toEqual(expect.arrayContaining(options))
      else {
        const { code, said } = await product.run(`npx ${name} --help`)
        expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining(`${name}`) })
        for (const option of options) expect(said).toContain(option)
      }
    }
  }, 600_000)

  it('the others run, with the local database and without a deployment', async () => {
    const said: string[] = []
    for (const command of here) {
      const local = command.replace('--remote', '--local').replace(/ deploy$/, ' deploy --dry-run')
      const answer = await product.run(local)
      expect({ command, ...answer }).toEqual({ command, code: 0, said: expect.any(String) })
      said.push(answer.said.trim())
    }
    expect(said[1]).toContain('env.COUNTER')
    expect(said[2]).toContain('backup.ndjson.gz: complete.')
    expect(said.at(-1)).toContain('r2:backups/2026-11-28.ndjson.gz: complete.')
    expect(product.read('everything/users.ndjson')).toBe('')
    expect(said[5]).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(said[6]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  }, 600_000)

  it('those of the command line run in a product, with the local database and without a deployment', async () => {
    await cli.build()
    cli.change('src/index.ts', "appName: 'Acme',", "appName: 'Acme',\n  mail: { transport: 'resend' },")
    cli.write('.dev.vars', `${cli.read('.dev.vars')}RESEND_API_KEY=re_1234\n`)
    await cli.wrangler('d1', 'migrations', 'apply', 'DB', '--local')
    await cli.wrangler('d1', 'execute', 'DB', '--local', '--yes', '--command', users.join('; '))
    for (const command of inProduct) {
      const local = command.replace('--remote', '--local').replace(/ deploy$/, ' deploy --dry-run')
      const answer = await cli.run(...local.split(' ').slice(2))
      expect({ command, ...answer }).toEqual({ command, code: 0, said: expect.any(String) })
    }
    expect((await cli.run('users', 'show', 'eve', '--json')).said).toMatch(/"ban"[\s\S]+"unban"[\s\S]+"delete"/)
  }, 600_000)

  it.each([
    ["CREATE TABLE t (a PRIMARY KEY); INSERT INTO t VALUES ('x;') RETURNING a; SELECT 1 AS n, null AS z", '--json'],
    ['SELECT name FROM nothing', '--json'],
    ["INSERT INTO t VALUES ('x;')", '--yes'],
  ])(
    'the databases of these tests answer as those of wrangler: %s',
    async (sql, flag) => {
      const words = ['d1', 'execute', 'DB', '--local', flag, '--command', sql]
      const line = words.map((word) => (word === sql ? `"${sql}"` : word)).join(' ')
      const [own, real] = await Promise.all([cli.wrangler(...words), product.run(`npx wrangler ${line}`)])
      expect(own.code).toBe(real.code)
      const rows = (text: string) => text.trim().replace(/"duration": [\d.]+/g, '')
      if (flag === '--json') expect(rows(own.said)).toBe(rows(real.said))
      else expect(messageOf(real.said)).toContain(messageOf(own.said))
    },
    120_000,
  )
})
