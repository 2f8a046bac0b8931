import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHash } from '../identity/accounts/hash-formats/foreign-hash.ts'
import { root } from '../scripts/tools.ts'
import { GuideFolder } from '../testing/guide-folder.ts'

const guide = readFileSync(join(root, 'worker/guides/move-in.md'), 'utf8')

/** A product's folder with the input files of the guide's commands. */
const product = new GuideFolder()
const hash = '$2b$10$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'

beforeAll(() => {
  product.write('users.ndjson', '{"user_id":"auth0|1","email":"ada@example.com","app_metadata":{"plan":"pro"}}\n')
  product.write('hashes.ndjson', `{"_id":{"$oid":"1"},"passwordHash":"${hash}"}\n`)
  product.write(
    'users.csv',
    `id,first_name,username,primary_email_address,verified_email_addresses,password_digest\nuser_1,Ada,ada,ada@example.com,ada@example.com,${hash}\n`,
  )
  product.write(
    'auth.sql',
    `COPY auth.users (id, email, encrypted_password) FROM stdin;\n1\tada@example.com\t${hash}\n\\.\n`,
  )
  product.write(
    'users.json',
    '{"users":[{"localId":"1","email":"ada@example.com","passwordHash":"AAAA","salt":"AAAA"}]}',
  )
  const database = new DatabaseSync(product.path('better-auth.sqlite'))
  database.exec(
    "create table user (id, name, email, emailVerified); insert into user values ('1', 'Ada', 'ada@example.com', 1)",
  )
  database.close()
})
afterAll(() => product.close())

/** The commands of the guide, block by block. */
const blocks = [...guide.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, text]) => text!.trim().split('\n'))

const variables = { GATEHOUSE_SIGNER_KEY: `${'A'.repeat(43)}=`, BETTER_AUTH_SECRET: 'the-old-secret' }
const runLine = (line: string) => product.run(line, variables)

describe('the guide', () => {
  it('reports what each source has', async () => {
    const answers = await Promise.all(blocks[0]!.map(runLine))
    expect(answers.map(({ said }) => /Would be written:\n {2}users +1/.test(said))).toEqual(Array(5).fill(true))
    // The Firebase sample has an invalid hash.
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 2, 0])
  })

  it('imports, and exports one user and everything', async () => {
    for (const line of blocks[1]!) expect(await runLine(line)).toMatchObject({ code: 0 })
    for (const line of [...blocks[2]!, ...blocks[3]!]) expect(await runLine(line)).toMatchObject({ code: 0 })

    const person = JSON.parse(product.read('ada.json'))
    expect(person.user).toMatchObject([{ id: 'user_1', username: 'ada', emailVerified: true, twoFactorEnabled: false }])
    expect(person.accounts).toMatchObject([{ providerId: 'credential' }])
    expect(JSON.stringify(person)).not.toContain(hash)
    const rows = (table: string) => product.read(`everything/${table}.ndjson`)
    expect(JSON.parse(rows('accounts'))).toMatchObject({ user_id: 'user_1', password: hash })
    expect(rows('sessions')).toBe('')
  }, 600_000)

  it('prints settings that are some', () => {
    const [, printed] = /importedHashes: \['([^']+)'\]/.exec(guide)!
    expect(readHash(printed!)).toMatchObject({ cost: 'bcrypt cost=10', tooMuch: null })
    expect(readHash(printed!)!.sample()).toBe(printed)
  })
})
