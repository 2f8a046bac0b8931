import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHash } from '../identity/accounts/hash-formats/foreign-hash.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'worker/guides/move-in.md'), 'utf8')

/** A product's folder, with what the guide's commands read. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-guide-'))
const hash = '$2b$10$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'

beforeAll(() => {
  copyFileSync(join(root, 'wrangler.toml'), join(folder, 'wrangler.toml'))
  for (const name of ['node_modules', 'worker']) symlinkSync(join(root, name), join(folder, name))
  // In one file, since wrangler takes half a second for each.
  const migrations = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
  const all = migrations.sort().map((name) => readFileSync(join(root, 'migrations', name), 'utf8'))
  mkdirSync(join(folder, 'migrations'))
  writeFileSync(join(folder, 'migrations/0000_all.sql'), all.join('\n'))
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  put('package.json', '{}')
  put('users.ndjson', '{"user_id":"auth0|1","email":"ada@example.com","app_metadata":{"plan":"pro"}}\n')
  put('hashes.ndjson', `{"_id":{"$oid":"1"},"passwordHash":"${hash}"}\n`)
  put(
    'users.csv',
    `id,first_name,username,primary_email_address,verified_email_addresses,password_digest\nuser_1,Ada,ada,ada@example.com,ada@example.com,${hash}\n`,
  )
  put('auth.sql', `COPY auth.users (id, email, encrypted_password) FROM stdin;\n1\tada@example.com\t${hash}\n\\.\n`)
  put('users.json', '{"users":[{"localId":"1","email":"ada@example.com","passwordHash":"AAAA","salt":"AAAA"}]}')
  const database = new DatabaseSync(join(folder, 'better-auth.sqlite'))
  database.exec(
    "create table user (id, name, email, emailVerified); insert into user values ('1', 'Ada', 'ada@example.com', 1)",
  )
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the guide prints as commands, block by block. */
const blocks = [...guide.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, text]) => text!.trim().split('\n'))

const programs: Record<string, string> = {
  gatehouse: join(root, 'worker/cli/gatehouse.ts'),
  wrangler: join(root, 'node_modules/wrangler/bin/wrangler.js'),
}

/** Runs a printed command as a shell would, but for its `npx`. */
function runLine(line: string): Promise<{ code: number; said: string }> {
  const [npx, name, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  if (npx !== 'npx' || !programs[name!]) throw new Error(`not a command of the guide: ${line}`)
  const variables: Record<string, string> = { $SIGNER_KEY: `${'A'.repeat(43)}=`, $BETTER_AUTH_SECRET: 'the-old-secret' }
  const given = args.map((arg) => variables[arg] ?? arg)
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' }
  return new Promise((resolve) => {
    execFile(process.execPath, [programs[name!]!, ...given], { cwd: folder, env }, (error, out, errors) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + errors }),
    )
  })
}

describe('the guide', () => {
  it('reports what each source has', async () => {
    const answers = await Promise.all(blocks[0]!.map(runLine))
    expect(answers.map(({ said }) => /Would be written:\n {2}users +1/.test(said))).toEqual(Array(5).fill(true))
    // The hash of the Firebase sample is none.
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 2, 0])
  })

  it('imports, and takes one person and everything out again', async () => {
    for (const line of blocks[1]!) expect(await runLine(line)).toMatchObject({ code: 0 })
    for (const line of [...blocks[2]!, ...blocks[3]!]) expect(await runLine(line)).toMatchObject({ code: 0 })

    const person = JSON.parse(readFileSync(join(folder, 'ada.json'), 'utf8'))
    expect(person.user).toMatchObject([{ id: 'user_1', username: 'ada', emailVerified: true, twoFactorEnabled: false }])
    expect(person.accounts).toMatchObject([{ providerId: 'credential' }])
    expect(JSON.stringify(person)).not.toContain(hash)
    const rows = (table: string) => readFileSync(join(folder, `everything/${table}.ndjson`), 'utf8')
    expect(JSON.parse(rows('accounts'))).toMatchObject({ user_id: 'user_1', password: hash })
    expect(rows('sessions')).toBe('')
  }, 300_000)

  it('prints settings that are some', () => {
    const [, printed] = /importedHashes: \['([^']+)'\]/.exec(guide)!
    expect(readHash(printed!)).toMatchObject({ cost: 'bcrypt cost=10', tooMuch: null })
    expect(readHash(printed!)!.sample()).toBe(printed)
  })
})
