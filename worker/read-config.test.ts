import { describe, expect, it } from 'vitest'
import { config } from './config.ts'
import { sessionOptions } from './identity/settings.ts'
import type { Env } from './platform/env.ts'
import { type Config, readConfig } from './read-config.ts'

const production = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://accounts.example.com',
  GATEHOUSE_SECRET: 's'.repeat(32),
  SMTP_HOST: 'mail.example.com',
} as Env
const sendable: Config = { mail: { transport: 'smtp' } }
const read = (changes: Config, env: Partial<Env> = {}) =>
  readConfig({ ...sendable, ...changes }, { ...production, ...env })

describe('the configuration', () => {
  it("has the specification's values where nothing is said", () => {
    const { settings, options } = read({})
    expect(settings).toMatchObject({ profile: 'compatible', environment: 'production', trustedOrigins: [] })
    expect(options.session).toMatchObject({
      expiresIn: 604_800,
      updateAge: 86_400,
      freshAge: 86_400,
      cookieCache: { enabled: true, maxAge: 300 },
    })
    expect(options.emailVerification).toMatchObject({ expiresIn: 3600 })
    expect(options.emailAndPassword).toMatchObject({
      minPasswordLength: 8,
      maxPasswordLength: 128,
      resetPasswordTokenExpiresIn: 3600,
      requireEmailVerification: false,
    })
    expect(options.user).toMatchObject({ deleteUser: { enabled: false, deleteTokenExpiresIn: 86_400 } })
    expect(options.rateLimit).toMatchObject({ window: 10, max: 100, storage: 'memory' })
    expect(sessionOptions.of({ options }).shortLived).toBe(86_400)
  })

  it('takes parts, and in development the CONFIG variable over them', () => {
    const env = { ...production, ENVIRONMENT: 'development', CONFIG: '{"session":{"cookieCache":{"maxAge":60}}}' }
    const { options } = readConfig({ session: { expiresIn: 100 } }, env)
    expect(options.session).toMatchObject({
      expiresIn: 100,
      updateAge: 86_400,
      cookieCache: { enabled: true, maxAge: 60 },
    })
  })

  it('strict takes the safer answers, unless the configuration says otherwise', () => {
    expect(read({ profile: 'strict' }).options.emailAndPassword).toMatchObject({ requireEmailVerification: true })
    const own = read({ profile: 'strict', emailAndPassword: { requireEmailVerification: false } })
    expect(own.options.emailAndPassword).toMatchObject({ requireEmailVerification: false })
  })

  it.each<[string, Config, Partial<Env>]>([
    ['GATEHOUSE_SECRET', {}, { GATEHOUSE_SECRET: undefined }],
    ['GATEHOUSE_SECRET', {}, { GATEHOUSE_SECRET: 'too-short' }],
    ['GATEHOUSE_PREVIOUS_SECRETS', {}, { GATEHOUSE_PREVIOUS_SECRETS: 'short' }],
    ['BASE_URL', {}, { BASE_URL: '' }],
    ['BASE_URL', {}, { BASE_URL: 'accounts.example.com' }],
    ['BASE_URL', {}, { BASE_URL: 'https://accounts.example.com/path' }],
    ['BASE_URL', {}, { BASE_URL: 'http://accounts.example.com' }],
    ['RATE_LIMIT', {}, { RATE_LIMIT: 'off' }],
    ['ADMIN_EMAILS', {}, { ADMIN_EMAILS: 'a@example.com' }],
    ['CONFIG', {}, { CONFIG: '{}' }],
    ['CONFIG', {}, { ENVIRONMENT: 'development', CONFIG: '{bad' }],
    ['CONFIG', {}, { ENVIRONMENT: 'development', CONFIG: '[]' }],
    ['profile', { profile: 'lax' as 'strict' }, {}],
    ['sesion', { sesion: {} } as Config, {}],
    ['trustedOrigins', { trustedOrigins: ['https://app.example.com/path'] }, {}],
    ['trustedOrigins', { trustedOrigins: ['javascript://x'] }, {}],
    ['session.expiresIn', { session: { expiresIn: -1 } }, {}],
    ['session.cookieCache.maxAge', { session: { expiresIn: 60, cookieCache: { maxAge: 300 } } }, {}],
    ['emailAndPassword.maxPasswordLength', { emailAndPassword: { minPasswordLength: 200 } }, {}],
    [
      'emailVerification.enabled',
      { emailVerification: { enabled: false }, emailAndPassword: { requireEmailVerification: true } },
      {},
    ],
    ['cookies.prefix', { cookies: { prefix: 'a b' } }, {}],
    ['cookies.domain', { cookies: { domain: 'example.org' } }, {}],
    ['mail.transport', { mail: { transport: 'mailbox' } }, {}],
    ['SMTP_HOST', {}, { SMTP_HOST: '' }],
    ['EMAIL', { mail: { transport: 'cloudflare' } }, {}],
  ])('is refused with the name of %s', (setting, changes, env) => {
    expect(() => read(changes, env)).toThrow(new RegExp(`^${setting.replaceAll('.', '\\.')}: `))
  })

  it('of this deployment starts in development as it is', () => {
    const env = { GATEHOUSE_SECRET: 's'.repeat(32), ENVIRONMENT: 'development' } as Env
    expect(readConfig(config, env).settings.baseUrl).toBe('http://localhost:8787')
  })

  it('anything that is not exactly development is production', () => {
    for (const ENVIRONMENT of ['', 'Development', 'dev', undefined]) {
      expect(() => read({}, { ENVIRONMENT, RATE_LIMIT: 'off' } as Partial<Env>)).toThrow(/^RATE_LIMIT: /)
    }
  })
})
