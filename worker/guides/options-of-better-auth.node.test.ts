import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../testing/setting-names.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(import.meta.dirname, 'options-of-better-auth.md'), 'utf8')

/** The type declarations of the published server, without their comments. */
const declarations = globSync('node_modules/better-auth/dist/{plugins,shared}/**/*.d.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .map((text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, ''))

/** The names of a type's members, as `a` and `a.b`, down to a depth. Text in brackets contains no members. */
function membersOf(type: string, depth: number): string[] {
  const declared = new RegExp(`(?:type|interface) ${type}\\b[^{;]*{`)
  const source = declarations.find((text) => declared.test(text))
  if (!source) throw new Error(`better-auth declares no ${type}`)
  const names = new Set<string>()
  const path: string[] = []
  let level = 0
  let brackets = 0
  let text = ''
  for (const character of source.slice(source.search(declared)).replace(/^[^{]*/, '')) {
    if (character === '(' || character === '[') brackets++
    if (character === ')' || character === ']') brackets--
    if (brackets > 0) continue
    if (character === '{') level++
    if (character === '}') level--
    if (level === 0) break
    if (character === ':') {
      const name = /^\s*(?:readonly\s+)?([A-Za-z]\w*)\??\s*$/.exec(text)?.[1]
      if (name !== undefined) {
        path.splice(level - 1, path.length, name)
        if (level <= depth) names.add(path.join('.'))
      }
    }
    text = '{};'.includes(character) ? '' : text + character
  }
  return [...names]
}

interface Row {
  theirs: string
  ours: string
  why: string
}

/** The tables of the guide by the heading above them. */
const tables = new Map<string, Row[]>(
  guide
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.split('\n')[0]!,
      [...section.matchAll(/^\| `([\w.]+)` \| (.+?) \| (.*?) ?\|$/gm)].map(([, theirs, ours, why]) => ({
        theirs: theirs!,
        ours: ours!,
        why: why!,
      })),
    ]),
)

/** The types behind the plug-ins' tables. */
const types: Record<string, string> = {
  admin: 'AdminOptions',
  anonymous: 'AnonymousOptions',
  apiKey: 'ApiKeyOptions',
  bearer: 'BearerOptions',
  captcha: 'BaseCaptchaOptions',
  'captcha, Google reCAPTCHA': 'GoogleRecaptchaOptions',
  'captcha, hCaptcha': 'HCaptchaOptions',
  emailOTP: 'EmailOTPOptions',
  genericOAuth: 'GenericOAuthOptions',
  'genericOAuth, each provider': 'GenericOAuthConfig',
  haveIBeenPwned: 'HaveIBeenPwnedOptions',
  jwt: 'JwtOptions',
  magicLink: 'MagicLinkOptions',
  mcp: 'MCPOptions',
  multiSession: 'MultiSessionConfig',
  oAuthProxy: 'OAuthProxyOptions',
  oidcProvider: 'OIDCOptions',
  oneTap: 'OneTapOptions',
  oneTimeToken: 'OneTimeTokenOptions',
  openAPI: 'OpenAPIOptions',
  organization: 'OrganizationOptions',
  passkey: 'PasskeyOptions',
  phoneNumber: 'PhoneNumberOptions',
  sso: 'SSOOptions',
  twoFactor: 'TwoFactorOptions',
  username: 'UsernameOptions',
  'fields of users and sessions': 'FieldAttributeConfig',
  'each of socialProviders': 'ProviderOptions',
}

describe('the guide to the options of better-auth', () => {
  it('has every option of the server', () => {
    const names = membersOf('BetterAuthOptions', 2)
    expect(names.length).toBeGreaterThan(80)
    // The only option of customSession is a function.
    const isServers = (heading: string) => !(heading in types) && heading !== 'customSession'
    const told = [...tables].filter(([heading]) => isServers(heading)).flatMap(([, rows]) => rows)
    expect(names.filter((name) => !told.some(({ theirs }) => theirs === name))).toEqual([])
    expect(told.filter(({ theirs }) => !names.includes(theirs))).toEqual([])
  })

  it.each(Object.entries(types))('has every option of %s', (heading, type) => {
    const names = membersOf(type, 1)
    expect(names.length).toBeGreaterThan(0)
    expect(
      tables
        .get(heading)!
        .map(({ theirs }) => theirs)
        .sort(),
    ).toEqual(names.sort())
  })

  it('names existing settings, or gives a reason', () => {
    for (const [heading, rows] of tables) {
      for (const { theirs, ours, why } of rows) {
        const name = ours === 'the same' ? theirs : /^`(.+)`$/.exec(ours)?.[1]
        if (name === undefined)
          expect({ heading, theirs, ours, explained: why.length > 3 }).toEqual({
            heading,
            theirs,
            ours: '–',
            explained: true,
          })
        else
          expect({ heading, theirs, name, known: settingNames.has(name) }).toEqual({
            heading,
            theirs,
            name,
            known: true,
          })
      }
    }
  })
})
