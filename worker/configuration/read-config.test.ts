import { afterEach, describe, expect, it, vi } from 'vitest'
import { sessionOptions } from '../identity/sessions/sessions.config.ts'
import { optionProblems } from '../kit/option-problems.ts'
import type { Options } from '../kit/options.ts'
import type { Env } from '../platform/env.ts'
import { config } from '../testing/config.ts'
import { settingNames } from '../testing/setting-names.ts'
import { knownOptions } from './options.ts'
import { type Config, readConfig } from './read-config.ts'

const production = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://accounts.example.com',
  GATEHOUSE_SECRET: 's'.repeat(32),
  SMTP_HOST: 'mail.example.com',
} as Env
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
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

  it('strict selects the safer responses, unless the configuration overrides them', () => {
    expect(read({ profile: 'strict' }).options.emailAndPassword).toMatchObject({ requireEmailVerification: true })
    const own = read({ profile: 'strict', emailAndPassword: { requireEmailVerification: false } })
    expect(own.options.emailAndPassword).toMatchObject({ requireEmailVerification: false })
  })

  it.each<[string, Config, Partial<Env>]>([
    ['RESEND_API_KEY', { mail: { transport: 'resend' } }, {}],
    ['POSTMARK_SERVER_TOKEN', { mail: { transport: 'postmark' } }, {}],
    ['mail.transport', { mail: { transport: 'pigeon' as never } }, {}],
    ['mail.postmark.stream', { mail: { postmark: { stream: 'x' } as never } }, {}],
    ['GATEHOUSE_SECRET', {}, { GATEHOUSE_SECRET: undefined }],
    ['GATEHOUSE_SECRET', {}, { GATEHOUSE_SECRET: 'too-short' }],
    ['GATEHOUSE_PREVIOUS_SECRETS', {}, { GATEHOUSE_PREVIOUS_SECRETS: 'short' }],
    ['BASE_URL', {}, { BASE_URL: 'accounts.example.com' }],
    ['BASE_URL', {}, { BASE_URL: 'https://accounts.example.com/path' }],
    ['BASE_URL', {}, { BASE_URL: 'http://accounts.example.com' }],
    ['BASE_URL', {}, { BASE_URL: 'https://accounts.example.invalid' }],
    ['RATE_LIMIT', {}, { RATE_LIMIT: 'off' }],
    ['TESTING', {}, { TESTING: 'on' }],
    ['ADMIN_EMAILS', {}, { ADMIN_EMAILS: 'a@example.com' }],
    ['CONFIG', {}, { CONFIG: '{}' }],
    ['CONFIG', {}, { ENVIRONMENT: 'development', CONFIG: '{bad' }],
    ['CONFIG', {}, { ENVIRONMENT: 'development', CONFIG: '[]' }],
    ['profile', { profile: 'lax' as 'strict' }, {}],
    ['appName', { appName: 7 as unknown as string }, {}],
    ['trustedOrigins', { trustedOrigins: ['https://app.example.com/path'] }, {}],
    ['trustedOrigins', { trustedOrigins: ['javascript://x'] }, {}],
    ['trustedOrigins', { trustedOrigins: ['localhost:5173'] }, {}],
    ['trustedOrigins', { trustedOrigins: ['app.example.com'] }, {}],
    ['session.expiresIn', { session: { expiresIn: -1 } }, {}],
    ['session.cookieCache.maxAge', { session: { expiresIn: 60, cookieCache: { maxAge: 300 } } }, {}],
    ['emailAndPassword.maxPasswordLength', { emailAndPassword: { minPasswordLength: 200 } }, {}],
    [
      'emailVerification.enabled',
      { emailVerification: { enabled: false }, emailAndPassword: { requireEmailVerification: true } },
      {},
    ],
    ['username.maxUsernameLength', { username: { minUsernameLength: 40 } }, {}],
    ['cookies.prefix', { cookies: { prefix: 'a b' } }, {}],
    ['cookies.domain', { cookies: { domain: 'example.org' } }, {}],
    ['mail.transport', { mail: { transport: 'mailbox' } }, {}],
    ['SMTP_HOST', {}, { SMTP_HOST: '' }],
    ['EMAIL', { mail: { transport: 'cloudflare' } }, {}],
  ])('is refused with the name of %s', (setting, changes, env) => {
    expect(() => read(changes, env)).toThrow(new RegExp(`^${setting.replaceAll('.', '\\.')}: `))
  })

  it.each<[string, object]>([
    ['sesion: unknown setting; did you mean session?', { sesion: {} }],
    ['session.expireIn: unknown setting; did you mean session.expiresIn?', { session: { expireIn: 60 } }],
    ['session.cookieCache.age: unknown setting', { session: { cookieCache: { age: 60 } } }],
    ['session.expiresIn: must be a number', { session: { expiresIn: '7d' } }],
    ['session.expiresIn: must be at least 1', { session: { expiresIn: 0 } }],
    ['session.expiresIn: must be a whole number', { session: { expiresIn: 0.5 } }],
    ['session.expiresIn: must be a number', { session: { expiresIn: Number.NaN } }],
    ['session.updateAge: must be at least 0', { session: { updateAge: -1 } }],
    ['session: must be an object', { session: 60 }],
    ['rateLimit.max: must be at least 1', { rateLimit: { max: 0 } }],
    ["rateLimit.storage: must be 'memory' or 'database' or 'durable-object'", { rateLimit: { storage: 'redis' } }],
    [
      'rateLimit.customRules./ok.maxi: unknown setting; did you mean rateLimit.customRules./ok.max?',
      { rateLimit: { customRules: { '/ok': { window: 1, max: 1, maxi: 2 } } } },
    ],
    ['rateLimit.customRules./ok: must be', { rateLimit: { customRules: { '/ok': true } } }],
    ['emailAndPassword.enabled: must be true or false', { emailAndPassword: { enabled: 'yes' } }],
    ['emailAndPassword.maxPasswordLength: must be at most 4096', { emailAndPassword: { maxPasswordLength: 5000 } }],
    [
      'user.additionalFields.level.requird: unknown setting; did you mean user.additionalFields.level.required?',
      { user: { additionalFields: { level: { type: 'number', requird: true } } } },
    ],
    ['user.additionalFields.level.type: must be', { user: { additionalFields: { level: { type: 'int' } } } }],
    ['disabledPaths.0: must be a string', { disabledPaths: [1] }],
    ...[
      '/sign-in/email/',
      '//sign-in/email',
      '/sign-in/%65mail',
      '/sign-in/./email',
      '/api/auth/sign-in/email',
    ].flatMap((path): [string, object][] => [
      ['captcha.endpoints.0: must be a path below /api/auth as requests have it', { captcha: { endpoints: [path] } }],
      ['disabledPaths.0: must be a path below /api/auth as requests have it', { disabledPaths: [path] }],
    ]),
    ['apiKey.maximumPrefixLength: must be at most 128', { apiKey: { maximumPrefixLength: 129 } }],
    ['apiKey.defaultPrefix: must be', { apiKey: { defaultPrefix: 'x'.repeat(129) } }],
    ['apiKey.defaultPrefix: must be', { apiKey: { defaultPrefix: 'acme key' } }],
    ['apiKey.apiKeyHeaders: must be', { apiKey: { apiKeyHeaders: 'x api key' } }],
    ['apiKey.apiKeyHeaders.1: must be', { apiKey: { apiKeyHeaders: ['x-api-key', 'x:key'] } }],
    ['captcha.endpoints.0: must be a path below /api/auth', { captcha: { endpoints: ['sign-in/email'] } }],
    ['captcha.endpoints.0: must be a path below /api/auth', { captcha: { endpoints: ['/sign-in//*'] } }],
    ['rateLimit.customRules./ok/: ', { rateLimit: { customRules: { '/ok/': false } } }],
    [
      'socialProviders.gogle: unknown setting; did you mean socialProviders.google?',
      { socialProviders: { gogle: {} } },
    ],
    [
      'socialProviders.google.clientID: unknown setting; did you mean socialProviders.google.clientId?',
      { socialProviders: { google: { clientID: 'x' } } },
    ],
    ['socialProviders.github.tenantId: unknown setting', { socialProviders: { github: { tenantId: 'x' } } }],
    ['genericOAuth.0.providerId: must be a string', { genericOAuth: [{ clientId: 'x' }] }],
    [
      'genericOAuth.0.tokenURL: unknown setting; did you mean genericOAuth.0.tokenUrl?',
      { genericOAuth: [{ providerId: 'x', tokenURL: '' }] },
    ],
    ['organization.membershipLimit: must be a number or a function', { organization: { membershipLimit: '9' } }],
    [
      'organization.teams.maximumTeam: unknown setting; did you mean organization.teams.maximumTeams?',
      { organization: { teams: { maximumTeam: 1 } } },
    ],
    [
      'phoneNumber.signUpOnVerification.getTempMail: unknown setting; did you mean phoneNumber.signUpOnVerification.getTempEmail?',
      { phoneNumber: { signUpOnVerification: { getTempMail: () => '' } } },
    ],
    ['mail.smtp.tls: must be', { mail: { smtp: { tls: 'maybe' } } }],
    ['openAPI.path: must be a path below /api/', { openAPI: { path: '/docs' } }],
  ])('is refused at every depth: %s', (message, changes) => {
    const thrown = () => read(changes as Config)
    expect(thrown).toThrow(message)
    expect(thrown).toThrow(new RegExp(`(^|\\n)${message.split(':')[0]!.replaceAll('.', '\\.')}: `))
  })

  it.each<[string, Config]>([
    [
      "advanced.disableOriginCheck: true is for development (ENVIRONMENT is production); say 'in-production-too'",
      { advanced: { disableOriginCheck: true } },
    ],
    [
      'apiKey.maximumPrefixLength: must not be less than apiKey.minimumPrefixLength',
      { apiKey: { minimumPrefixLength: 40 } },
    ],
    ['apiKey.maximumNameLength: must not be less than apiKey.minimumNameLength', { apiKey: { minimumNameLength: 40 } }],
    [
      'apiKey.keyExpiration.maxExpiresIn: must not be less than apiKey.keyExpiration.minExpiresIn',
      { apiKey: { keyExpiration: { minExpiresIn: 400 } } },
    ],
    [
      'user.deleteUser.sendDeleteAccountVerification: must not be true while user.deleteUser.enabled is false',
      { user: { deleteUser: { sendDeleteAccountVerification: true } } },
    ],
    [
      'account.accountLinking.trustedProviders: must be empty while account.accountLinking.enabled is false',
      { account: { accountLinking: { enabled: false, trustedProviders: ['google'] } } },
    ],
    [
      'account.accountLinking.allowDifferentEmails: must not be true while account.accountLinking.enabled is false',
      { account: { accountLinking: { enabled: false, allowDifferentEmails: true } } },
    ],
    [
      "twoFactor.enforceOn: must not be 'all' while twoFactor.totpOptions.disable and twoFactor.otpOptions.disable",
      { twoFactor: { enforceOn: 'all', totpOptions: { disable: true }, otpOptions: { disable: true } } },
    ],
    [
      'organization.creatorRole: names boss, which organization.roles does not have',
      { organization: { creatorRole: 'boss' } },
    ],
    ['admin.defaultRole: names guest, which admin.roles does not have', { admin: { defaultRole: 'guest' } }],
    ['admin.adminRoles: names boss, which admin.roles does not have', { admin: { adminRoles: ['boss'] } }],
  ])('that contradicts itself names both: %s', (message, changes) => {
    expect(() => read(changes)).toThrow(message)
  })

  it("takes 'in-production-too' for what it says", () => {
    const { options } = read({ advanced: { disableOriginCheck: 'in-production-too' } })
    expect(options.advanced).toEqual({ disableOriginCheck: 'in-production-too' })
  })

  it.each<[string, object]>([
    ['.required: must not be true while no form asks for it', { type: 'string', required: true }],
    ['.required: must not be true while no form', { type: 'string', required: true, input: false }],
    ['.required: must not be true while no form', { type: 'string[]', required: true }],
    ['.signUp: must not be true while input is false', { type: 'string', input: false, signUp: true }],
    ['.profile: must not be true while returned is false', { type: 'boolean', returned: false, profile: true }],
    [".profile: must not be true while type is 'number[]'", { type: 'number[]', profile: true }],
    [".pattern: is for type 'string', not 'number'", { type: 'number', pattern: 'x' }],
    ['.pattern: must be a regular expression', { type: 'string', pattern: '(' }],
    [".min: is for type 'number' and 'date', not 'string'", { type: 'string', min: 1 }],
    ['.min: must be a number', { type: 'number', min: '2000-01-31' }],
    ['.max: must be a date', { type: 'date', max: 7 }],
    [".options: is for type 'string' and 'string[]', not 'boolean'", { type: 'boolean', options: ['yes'] }],
    ['.maxLength: must not be less than minLength', { type: 'string', minLength: 2, maxLength: 1 }],
    ['.max: must not be less than min', { type: 'number', min: 2, max: 1 }],
    ['.defaultValue: must be a number', { type: 'number', defaultValue: 'x' }],
    ['.defaultValue: must be one of a', { type: 'string', options: ['a'], defaultValue: 'b' }],
    ['.label.en: must be a string', { type: 'string', label: { de: 'x' } }],
  ])('with a field that cannot be is refused: %s', (message, field) => {
    expect(() => read({ user: { additionalFields: { field } } } as Config)).toThrow(
      `user.additionalFields.field${message}`,
    )
  })

  it('refuses names of fields that users and sessions have already, and required ones of sessions without a default', () => {
    const named = (name: string) => () => read({ user: { additionalFields: { [name]: { type: 'string' } } } })
    for (const name of ['role', 'banned', 'emailVerified', 'password', 'missingFields']) {
      expect(named(name)).toThrow(`user.additionalFields.${name}: is a name that users have already`)
    }
    const session = (name: string, field: object) => () =>
      read({ session: { additionalFields: { [name]: { type: 'string', ...field } } } })
    expect(session('impersonatedBy', {})).toThrow(
      'session.additionalFields.impersonatedBy: is a name that sessions have',
    )
    expect(session('plan', { required: true })).toThrow(
      'session.additionalFields.plan.required: must not be true without',
    )
    expect(session('plan', { signUp: true })).toThrow('session.additionalFields.plan.signUp: unknown setting')
    expect(
      read({ user: { additionalFields: { plan: { type: 'string', required: true, profile: true } } } }),
    ).toBeTruthy()
  })

  it('reports all its errors together', () => {
    const changes = { session: { expireIn: 1, updateAge: -1 }, sesion: {} } as Config
    expect(() => read(changes)).toThrow(/^session\.updateAge: .*\nsession\.expireIn: .*\nsesion: /)
  })

  it('takes unions, functions, records and null where the options have them', () => {
    const changes: Config = {
      organization: { membershipLimit: () => 3, organizationLimit: null, roles: { clerk: { member: ['read'] } } },
      phoneNumber: { signUpOnVerification: { getTempName: () => 'x' }, phoneNumberValidator: null },
      rateLimit: { customRules: { '/ok': false } },
      mail: { transport: 'smtp', smtp: { tls: 'none' } },
      session: { freshAge: 0, updateAge: 0 },
    }
    expect(read(changes).options.organization).toMatchObject({ organizationLimit: null })
  })

  it('describes every option whose default does not show its type', () => {
    const described = (value: unknown, path: string): string[] =>
      isObject(value)
        ? Object.entries(value).flatMap(([name, inner]) => described(inner, `${path}.${name}`))
        : settingNames.has(path)
          ? []
          : [path]
    const names = knownOptions.flatMap(({ name, defaults }) =>
      Array.isArray(defaults) ? [] : described(defaults, name),
    )
    expect(names.filter((name) => !/^(admin|organization)\.roles\./.test(name))).toEqual([])
  })

  it('accepts its own defaults', () => {
    for (const { name, defaults, strict, schema } of knownOptions as readonly Options[]) {
      expect(optionProblems(schema, defaults), name).toEqual([])
      if (strict) expect(optionProblems(schema, strict), name).toEqual([])
    }
  })

  describe('of the CONFIG variable', () => {
    const developing = (config: object) =>
      readConfig({}, { ...production, ENVIRONMENT: 'development', CONFIG: JSON.stringify(config) })
    afterEach(() => vi.restoreAllMocks())

    it('logs unknown settings with their paths at every start, and ignores them', () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      const config = {
        session: { expireIn: 5, expiresIn: 600 },
        nothing: { at: 'all' },
        genericOAuth: [{ providerId: 'x', nme: 'X' }],
      }
      for (const _start of [1, 2]) {
        warn.mockClear()
        const { options } = developing(config)
        expect(warn.mock.calls.flat()).toEqual([
          'CONFIG: session.expireIn: unknown setting; did you mean session.expiresIn? (ignored)',
          'CONFIG: nothing: unknown setting (ignored)',
          'CONFIG: genericOAuth.0.nme: unknown setting; did you mean genericOAuth.0.name? (ignored)',
        ])
        expect(options.session).toMatchObject({ expiresIn: 600 })
        expect(options.session).not.toHaveProperty('expireIn')
        expect(options.genericOAuth).toEqual([{ providerId: 'x' }])
      }
    })

    it('is refused where a value cannot be', () => {
      expect(() => developing({ session: { expiresIn: 'soon' } })).toThrow(
        /^CONFIG: session\.expiresIn: must be a number$/,
      )
    })
  })

  it('of this deployment starts in development without changes', () => {
    const env = { GATEHOUSE_SECRET: 's'.repeat(32), ENVIRONMENT: 'development' } as Env
    expect(readConfig(config, env).settings.baseUrl).toBe('http://localhost:8787')
  })

  it('anything that is not exactly development is production', () => {
    for (const ENVIRONMENT of ['', 'Development', 'dev', undefined]) {
      expect(() => read({}, { ENVIRONMENT, RATE_LIMIT: 'off' } as Partial<Env>)).toThrow(/^RATE_LIMIT: /)
    }
  })

  it.each([{ RATE_LIMIT: 'off' }, { TESTING: 'on' }])(
    'has no limits of requests and sign-ups in development with %j',
    (given) => {
      const { options } = read({}, { ENVIRONMENT: 'development', ...given } as Partial<Env>)
      expect(options).toMatchObject({ rateLimit: { enabled: false }, user: { signUpsPerNetwork: null } })
    },
  )
})
