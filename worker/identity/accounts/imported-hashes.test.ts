import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { rowOf, updateRows } from '../../testing/rows.ts'
import { challenge, signUpProtected } from '../../testing/two-factor.ts'
import { writeFirebaseHash } from './hash-formats/firebase-scrypt.ts'
import { readHash } from './hash-formats/foreign-hash.ts'
import { derivePbkdf2 } from './hash-formats/pbkdf2.ts'

const password = 'user1password'

/** Hashes of other implementations: libxcrypt, OpenSSL, the reference of Argon2, Firebase's own sample. */
const bcrypt = '$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'
const hashes: [name: string, hash: string, password: string][] = [
  ['bcrypt', bcrypt, password],
  ['bcrypt $2a$', bcrypt.replace('$2b', '$2a'), password],
  ['bcrypt $2y$', bcrypt.replace('$2b', '$2y'), password],
  ['argon2id', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4', 'password'],
  [
    'argon2id in two lanes',
    '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
    'password',
  ],
  ['scrypt', '$scrypt$ln=14,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$CluC5+R8cnJb/nhh2lh65+d/5WGknJnADvP/2GaZV4s', password],
  [
    'Firebase scrypt',
    writeFirebaseHash(
      {
        signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
        saltSeparator: 'Bw==',
        rounds: 8,
        memCost: 14,
      },
      '42xEC-ixf3L2lw==',
      'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
    ),
    password,
  ],
  ['PBKDF2 of Django', 'pbkdf2_sha256$1000$seasalt$I9Xz6EpqEKHHBwT6ROK9c4wKFEsja/K9HLRPHelHguc=', password],
  [
    'PBKDF2 in PHC form',
    '$pbkdf2-sha512$i=1000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$JIULAt9SQJn1RB/THAUcQvKr0Tyi4T9YZcNaR5XsRm8QcPxEzimggFocTU39fOC7irvSCnrNTT4IfIWAZJFP3Q',
    password,
  ],
  ['PBKDF2 of passlib', '$pbkdf2-sha1$1000$MDEyMzQ1Njc4OWFiY2RlZg$u0.BMjFTcY4hvXQ/bLH1BmdwFu4', password],
]

const store = (hash: string) => updateRows('accounts', { password: hash })
const stored = async () => (await rowOf('accounts'))!.password!

/** Alice, whose hash was imported. */
async function imported(app: TestApp, hash: string) {
  const device = await signUp(app, alice)
  await store(hash)
  return device
}

describe('a hash that was imported', () => {
  it.each(hashes)('%s: a right password signs in, and the hash becomes our own', async (_name, hash, right) => {
    const app = new TestApp()
    await imported(app, hash)
    const given = { email: alice.email, password: right }
    expect((await app.device().post('/sign-in/email', { ...given, password: `${right}!` })).status).toBe(401)
    expect(await stored()).toBe(hash)
    const { status, io } = await app.device().post('/sign-in/email', given)
    expect(status).toBe(200)
    // The same number as without: the new hash is written in parallel with the session.
    expect(io.d1![0]).toBe(2)
    expect(await stored()).toMatch(/^cheap:/)
    expect((await app.device().post('/sign-in/email', given)).status).toBe(200)
  })

  it('becomes scrypt where the product has no hash of its own', async () => {
    const app = new TestApp({ account: { passwordHash: null } })
    await imported(app, bcrypt)
    expect((await app.device().post('/sign-in/email', { email: alice.email, password })).status).toBe(200)
    expect(await stored()).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
  })

  it('is our own scrypt for a product that has since got another', async () => {
    const own = new TestApp({ account: { passwordHash: null } })
    await signUp(own, alice)
    const app = new TestApp()
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    expect(await stored()).toMatch(/^cheap:/)
  })

  it("is not used where the product's own hash has the form", async () => {
    const asked: string[] = []
    const app = new TestApp({
      account: {
        passwordHash: {
          hash: () => bcrypt,
          verify: ({ hash }) => asked.push(hash) > 0,
        },
      },
    })
    await imported(app, bcrypt.replace('$2b', '$2a'))
    expect((await app.device().post('/sign-in/email', { email: alice.email, password })).status).toBe(200)
    expect(asked).toEqual([bcrypt.replace('$2b', '$2a')])
  })

  it('lets many sign in at once', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await imported(app, bcrypt)
    const given = { email: alice.email, password }
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.device().post('/sign-in/email', given)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await stored()).toMatch(/^cheap:/)
  })

  it('is replaced also where a second factor is asked', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await signUpProtected(app)
    await store(bcrypt)
    await challenge(app, { ...alice, password })
    expect(await stored()).toMatch(/^cheap:/)
  })

  it('confirms a password: a change and a deletion', async () => {
    const app = new TestApp({ user: { deleteUser: { enabled: true } } })
    const device = await imported(app, bcrypt)
    const change = { currentPassword: password, newPassword: 'a-new-password' }
    const wrong = await device.post('/change-password', { ...change, currentPassword: 'not-the-one' })
    expect(wrong.body.code).toBe('INVALID_PASSWORD')
    expect((await device.post('/change-password', change)).status).toBe(200)
    expect(await stored()).toMatch(/^cheap:/)
    await store(bcrypt)
    expect((await device.post('/delete-user', { password })).status).toBe(200)
  })

  it('is never computed when it costs too much', async () => {
    const app = new TestApp()
    await imported(app, bcrypt.replace('$04$', '$31$'))
    expect((await app.device().post('/sign-in/email', { email: alice.email, password })).status).toBe(401)
  })
})

describe('account.importedHashes', () => {
  it('makes every guess take the time of all hashes, also of our own for an imported user', async () => {
    let asked = 0
    const counting = {
      hash: (text: string) => `own:${text}`,
      verify: ({ password, hash }: { password: string; hash: string }) => {
        asked++
        return hash === `own:${password}`
      },
    }
    const app = new TestApp({ account: { passwordHash: counting, importedHashes: [readHash(bcrypt)!.sample()] } })
    await imported(app, bcrypt)
    await signUp(app, bob)
    await updateRows('accounts', { password: bcrypt }, { userId: (await rowOf('users', { email: alice.email }))!.id })
    for (const given of [
      { email: alice.email, password },
      { email: alice.email, password: 'not-hers' },
      { email: bob.email, password: bob.password },
      { email: 'unknown@example.com', password },
    ]) {
      asked = 0
      await app.device().post('/sign-in/email', given)
      expect(asked).toBe(1)
    }
  })

  it('does not start with an invalid hash, or one that costs too much', () => {
    for (const hash of ['md5', bcrypt.replace('$04$', '$13$')]) {
      expect(() => new TestApp({ account: { importedHashes: [hash] } })).toThrow('account.importedHashes')
    }
  })
})

describe('readHash', () => {
  it.each(hashes)('%s: a sample has the same cost and nothing of the user', (_name, hash) => {
    const read = readHash(hash)!
    const sample = read.sample()
    expect(readHash(sample)?.cost).toBe(read.cost)
    expect(read.tooMuch).toBeNull()
    expect(hash).not.toContain(sample.split('$').at(-1)!)
  })

  it.each([
    ['$2b$13$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'],
    ['$argon2id$v=19$m=131072,t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['$argon2id$v=19$m=65536,t=4,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['$scrypt$ln=17,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$CluC5+R8cnJb/nhh2lh65+d/5WGknJnADvP/2GaZV4s'],
    ['$scrypt$ln=14,r=8,p=99$MDEyMzQ1Njc4OWFiY2RlZg$CluC5+R8cnJb/nhh2lh65+d/5WGknJnADvP/2GaZV4s'],
    ['pbkdf2_sha256$1000000$seasalt$I9Xz6EpqEKHHBwT6ROK9c4wKFEsja/K9HLRPHelHguc='],
  ])('%s costs too much', (hash) => {
    expect(readHash(hash)?.tooMuch).toMatch(/more than|over/)
  })

  it.each([
    '',
    'md5:5f4dcc3b5aa765d61d8327deb882cf99',
    '$2x$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W',
    '$2b$99$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W',
    '$argon2id$v=19$m=1,t=0,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$scrypt$ln=0,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$CluC5+R8cnJb/nhh2lh65+d/5WGknJnADvP/2GaZV4s',
    'pbkdf2_sha256$0$seasalt$I9Xz6EpqEKHHBwT6ROK9c4wKFEsja/K9HLRPHelHguc=',
    `$2b$04$${'a'.repeat(100_000)}`,
  ])('%.60s is not a known hash', (hash) => {
    expect(readHash(hash)).toBeNull()
  })
})

describe('derivePbkdf2', () => {
  it.each(['sha1', 'sha256', 'sha512'] as const)(
    '%s: the library, for many iterations, as the platform',
    async (digest) => {
      const salt = Buffer.from('seasalt')
      const [native, library] = await Promise.all(
        [true, false].map((native) => derivePbkdf2(digest, password, salt, { c: 1000, dkLen: 40, native })),
      )
      expect(Buffer.from(library!)).toEqual(Buffer.from(native!))
    },
  )
})
