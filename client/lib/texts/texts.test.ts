import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { de } from './de.ts'
import { en } from './en.ts'

const root = join(import.meta.dirname, '../../..')
const load = (pattern: string) =>
  Promise.all(globSync(pattern, { cwd: root }).map(async (file) => [file, await import(join(root, file))] as const))

/** Errors of the server that no screen of ours can meet, because none asks for what they refuse. */
const ofOtherClients = new Set([
  // Provider tokens, and signing in with a provider's token, are for applications.
  'EITHER_USERID_OR_SESSION_IS_REQUIRED',
  'FAILED_TO_GET_A_VALID_ACCESS_TOKEN',
  'FAILED_TO_REFRESH_ACCESS_TOKEN',
  'ID_TOKEN_NOT_SUPPORTED',
  'USER_EMAIL_NOT_FOUND',
  // Tokens for other servers are for them, or for the product's own pages.
  'ALGORITHM_NOT_SUPPORTED',
  'CLIENT_REQUESTS_ARE_DISABLED',
  // Keys are shown by programs; of what else a key can be told, no form of ours asks.
  'FAILED_TO_UPDATE_API_KEY',
  'INVALID_API_KEY',
  'KEY_DISABLED',
  'KEY_EXPIRED',
  'KEY_NOT_FOUND',
  'RATE_LIMITED',
  'USAGE_EXCEEDED',
  'THE_USER_ID_FROM_THE_API_KEY_IS_INVALID',
  'METADATA_IS_DISABLED',
  'METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED',
  'NO_VALUES_TO_UPDATE',
  'REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED',
  'REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED',
  'THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL',
  'THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY',
  'THE_REMAINING_COUNT_IS_EITHER_TOO_LARGE_OR_TOO_SMALL',
  // A consent screen is configured, and a screen sends only what there is to change.
  'NO_CONSENT_PAGE_PROVIDED',
  'NOTHING_TO_UPDATE',
  'INVALID_REDIRECT_URI',
  // Usage, webhooks and other people's references are for servers and for products' own pages.
  'INGESTION_FAILED',
  'NEGATIVE_USAGE',
  'REFERENCE_NOT_ALLOWED',
  'SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED',
  'EVENT_NOT_FOUND',
  'WEBHOOK_BODY_MISSING',
  'WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION',
  'WEBHOOK_NOT_FOUND',
  'WEBHOOK_SECRET_NOT_FOUND',
  'YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT',
  // Of a prefetch the browser shows nothing.
  'PREFETCH_REFUSED',
])

interface Kind {
  status: number
  code: string
}

const isKind = (value: unknown): value is Kind => typeof value === 'function' && 'code' in value && 'status' in value

/** Every code of every catalogue, with the files it stands in. */
async function serverCodes(): Promise<Map<string, string[]>> {
  const codes = new Map<string, string[]>()
  for (const [file, module] of await load('worker/**/*.errors.ts')) {
    for (const catalogue of Object.values(module)) {
      if (typeof catalogue !== 'object' || catalogue === null) continue
      for (const kind of Object.values(catalogue).filter(isKind)) {
        codes.set(kind.code, [...(codes.get(kind.code) ?? []), relative(root, join(root, file))])
      }
    }
  }
  return codes
}

type Language = 'en' | 'de'

/** Every code that has words: the common ones, and each feature's own. */
async function knownCodes(language: Language): Promise<Set<string>> {
  const common = { en, de }[language].errors
  const own = (await load('client/**/*texts.ts')).flatMap(([, module]) =>
    Object.values(module).flatMap((dictionary) => {
      const texts = (dictionary as Partial<Record<Language, Record<string, unknown>>>)?.[language]
      return typeof texts === 'object' ? Object.keys({ ...texts, ...(texts.errors as object | undefined) }) : []
    }),
  )
  return new Set([...Object.keys(common), ...own])
}

describe('the dictionary', () => {
  it.each(['en', 'de'] as const)('has words for every error that a screen can meet: %s', async (language) => {
    const known = await knownCodes(language)
    const missing = [...(await serverCodes())].filter(([code]) => !known.has(code) && !ofOtherClients.has(code))
    expect(missing).toEqual([])
  })

  it.each(['en', 'de'] as const)(
    'has them on every screen for errors that are no feature’s own: %s',
    async (language) => {
      const common = { en, de }[language].errors
      const shared = [...(await serverCodes())].filter(([, files]) =>
        files.some((file) => !file.includes('/features/')),
      )
      expect(shared.length).toBeGreaterThan(10)
      expect(shared.filter(([code]) => !(code in common) && !ofOtherClients.has(code))).toEqual([])
    },
  )

  it('excuses only what there is', async () => {
    const codes = await serverCodes()
    expect(codes.size).toBeGreaterThan(100)
    expect([...ofOtherClients].filter((code) => !codes.has(code))).toEqual([])
  })

  it('says times as people do', () => {
    expect([en.duration(1), en.duration(45), en.duration(892)]).toEqual(['1 second', '45 seconds', '15 minutes'])
    expect([de.duration(1), de.duration(45), de.duration(892)]).toEqual(['1 Sekunde', '45 Sekunden', '15 Minuten'])
  })
})
