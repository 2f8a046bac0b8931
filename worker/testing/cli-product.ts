import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundle, bundleWorker } from '../scripts/bundle.ts'
import { quietEnvironment, root } from '../scripts/tools.ts'
import { type D1Server, startD1 } from './outside/d1-server.ts'

/** The account of a test (testing/outside/wrangler-account.ts). */
export interface Account {
  /** null: wrangler has no credentials. */
  login: { email: string; accounts: { id: string; name: string }[] } | null
  databases: string[]
  /** Titles. */
  namespaces: string[]
  buckets: string[]
  /** The jurisdictions of databases, namespaces and buckets by name. */
  jurisdictions?: Record<string, string>
  workers: Record<string, { secrets: Record<string, string>; deployments: number }>
  /** Messages of commands that fail the next time: `{ 'd1 create': '...' }`. */
  refuse?: Record<string, string>
}

export const emptyAccount: Account = {
  login: { email: 'ada@acme.com', accounts: [{ id: 'a1', name: 'Acme' }] },
  databases: [],
  namespaces: [],
  buckets: [],
  workers: {},
}

/** A product's folder with the package as npm installs it, and a wrangler with an account of the test. */
export class CliProduct {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))
  private d1: D1Server | undefined

  /** Bundles the command and the Worker, and runs `gatehouse init Acme`. @param flags of init */
  async build(...flags: string[]): Promise<string> {
    const own = this.path('node_modules/gatehouse-auth')
    mkdirSync(join(own, 'dist'), { recursive: true })
    for (const name of ['migrations', 'wrangler.toml', 'package.json']) symlinkSync(join(root, name), join(own, name))
    symlinkSync(join(root, 'dist/client'), join(own, 'dist/client'))
    const dir = join(own, 'dist/package')
    ;[this.d1] = await Promise.all([
      startD1(),
      bundle({ gatehouse: 'worker/cli/gatehouse.ts' }, 'node', { dir }),
      bundleWorker({ entry: 'worker/gatehouse.ts', dir }),
    ])
    this.write('node_modules/wrangler/package.json', '{"version":"4.155.0","bin":{"wrangler":"wrangler.mjs"}}')
    const account = join(root, 'worker/testing/outside/wrangler-account.ts')
    this.write('node_modules/wrangler/wrangler.mjs', `import ${JSON.stringify(account)}\n`)
    this.account = emptyAccount
    const { code, said } = await this.run('init', 'Acme', ...flags)
    if (code !== 0) throw new Error(said)
    return said
  }

  path = (...names: string[]) => join(this.folder, ...names)
  read = (name: string) => readFileSync(this.path(name), 'utf8')

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  remove = (name: string) => rmSync(this.path(name))

  /** Replaces a text of a file. */
  change(name: string, from: string, to: string): void {
    const before = this.read(name)
    if (!before.includes(from)) throw new Error(`${name} has no ${from}`)
    this.write(
      name,
      before.replace(from, () => to),
    )
  }

  get account(): Account {
    return JSON.parse(this.read('account.json')) as Account
  }

  set account(account: Account) {
    this.write('account.json', JSON.stringify(account))
  }

  /** The calls of wrangler since the last time. */
  calls(): string[] {
    const lines = existsSync(this.path('calls.log')) ? this.read('calls.log').trim().split('\n') : []
    rmSync(this.path('calls.log'), { force: true })
    return lines
  }

  /** Runs `gatehouse`. @param words and environment variables */
  run(...words: (string | Record<string, string>)[]): Promise<{ code: number; said: string }> {
    const program = this.path('node_modules/gatehouse-auth/dist/package/gatehouse.js')
    const variables: Record<string, string> = Object.assign({}, ...words.filter((word) => typeof word === 'object'))
    return this.start(
      program,
      words.filter((word) => typeof word === 'string'),
      variables,
    )
  }

  /** Runs the wrangler of the test. */
  wrangler = (...words: string[]) => this.start(this.path('node_modules/wrangler/wrangler.mjs'), words, {})

  private start(
    program: string,
    words: string[],
    variables: Record<string, string>,
  ): Promise<{ code: number; said: string }> {
    const env = { ...quietEnvironment, NO_COLOR: '1', TEST_D1: this.d1?.url, ...variables }
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [program, ...words], { cwd: this.folder, env }, (error, out, errors) =>
        resolve({ code: error ? Number(error.code) : 0, said: out + errors }),
      )
      child.stdin!.end()
    })
  }

  async close(): Promise<void> {
    await this.d1?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
