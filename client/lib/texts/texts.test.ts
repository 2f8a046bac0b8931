import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { englishTexts, type TextGroup } from '../../languages/english.ts'
import { coreTexts } from './core.ts'
import { textsOf } from './define.ts'
import { errorPlaces } from './error-places.ts'
import { messageOf } from './texts.ts'

const root = join(import.meta.dirname, '../../..')
const load = (pattern: string) =>
  Promise.all(globSync(pattern, { cwd: root }).map(async (file) => [file, await import(join(root, file))] as const))

/** Errors of the server that cannot occur on the app's screens. */
const ofOtherClients = new Set([
  // Provider tokens, and sign-ins with them, are for applications.
  'EITHER_USERID_OR_SESSION_IS_REQUIRED',
  'FAILED_TO_GET_A_VALID_ACCESS_TOKEN',
  'FAILED_TO_REFRESH_ACCESS_TOKEN',
  'ID_TOKEN_NOT_SUPPORTED',
  'USER_EMAIL_NOT_FOUND',
  // Tokens for other servers are for servers or for the product's own pages.
  'ALGORITHM_NOT_SUPPORTED',
  'CLIENT_REQUESTS_ARE_DISABLED',
  // Programs use keys. No form sends these properties.
  'API_KEY_ACCESS_DENIED',
  'FAILED_TO_UPDATE_API_KEY',
  'INVALID_API_KEY',
  'KEY_DISABLED',
  'KEY_EXPIRED',
  'KEY_FORBIDDEN_BY_ORGANIZATION',
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
  // Identity providers call the directory.
  'SCIM_FORBIDDEN',
  'SCIM_INVALID_CURSOR',
  'SCIM_INVALID_FILTER',
  'SCIM_INVALID_PATH',
  'SCIM_INVALID_SYNTAX',
  'SCIM_INVALID_VALUE',
  'SCIM_LIMIT_REACHED',
  'SCIM_METHOD_NOT_ALLOWED',
  'SCIM_MUTABILITY',
  'SCIM_NOT_FOUND',
  'SCIM_NO_TARGET',
  'SCIM_TOO_LARGE',
  'SCIM_UNAUTHORIZED',
  'SCIM_UNIQUENESS',
  'SCIM_VERSION_MISMATCH',
  // Back ends call operations with server keys.
  'SERVER_KEY_REQUIRED',
  'INVALID_SERVER_KEY',
  'SERVER_KEY_EXPIRED',
  'SERVER_KEY_IN_BROWSER',
  'SERVER_KEY_ADDRESS_NOT_ALLOWED',
  'SERVER_KEY_PERMISSION_MISSING',
  'INVALID_IDEMPOTENCY_KEY',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENT_REQUEST_IN_PROGRESS',
  'IDEMPOTENT_ANSWER_LOST',
  // A consent screen is configured, and screens send only changed values.
  'NO_CONSENT_PAGE_PROVIDED',
  'NOTHING_TO_UPDATE',
  'INVALID_REDIRECT_URI',
  // Usage, webhooks and references are for servers and for the product's own pages.
  'INGESTION_FAILED',
  'NEGATIVE_USAGE',
  'REFERENCE_NOT_ALLOWED',
  'SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED',
  'WEBHOOK_BODY_MISSING',
  'WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION',
  'WEBHOOK_SECRET_NOT_FOUND',
  'YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT',
  // The sign-in page asks for the connection before it starts one. The screens send no sign-out URL and rotate no keys.
  'SINGLE_SIGN_ON_NOT_FOUND',
  'INVALID_SIGN_OUT_URL',
  'CONNECTION_HAS_NO_SECOND_KEY',
  // Receivers of security events are servers; the app has no screen that registers them.
  'INVALID_SIGNAL_TOKEN',
  'SIGNAL_STREAM_NOT_FOUND',
  'TOO_MANY_VERIFICATIONS',
  'NOT_A_POLL_STREAM',
  'YOU_ARE_NOT_ALLOWED_TO_MANAGE_SIGNAL_RECEIVERS',
  'MAXIMUM_NUMBER_OF_SIGNAL_RECEIVERS_REACHED',
  'SIGNAL_RECEIVER_NOT_FOUND',
  'INVALID_SIGNAL_ADDRESS',
  'SIGNAL_ADMINISTRATOR_HAS_CHANGED',
  // The app has no screen with the log of an organization.
  'YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION',
  // The app opens this address as a WebSocket.
  'UPGRADE_REQUIRED',
  // The browser registers and refreshes device-bound sessions, without a page.
  'DEVICE_PROOF_REQUIRED',
  'INVALID_DEVICE_PROOF',
  'SESSION_ALREADY_BOUND',
  // Programs without pages send proofs.
  'INVALID_DPOP_PROOF',
  // The browser shows nothing of a prefetch.
  'PREFETCH_REFUSED',
])

interface Kind {
  status: number
  code: string
}

const isKind = (value: unknown): value is Kind => typeof value === 'function' && 'code' in value && 'status' in value

/** Every code of every catalogue, with its files. */
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

const english = englishTexts('client') as Record<string, TextGroup>
const common = english.core!.errors as TextGroup

/** Every code with a message: the common ones, and those of features. The other languages have the same keys. */
const known = new Set([
  ...Object.keys(common),
  ...Object.values(english).flatMap((texts) => Object.keys({ ...texts, ...(texts.errors as TextGroup | undefined) })),
])

describe('the dictionary', () => {
  it('has words for every error that a screen can meet', async () => {
    const missing = [...(await serverCodes())].filter(([code]) => !known.has(code) && !ofOtherClients.has(code))
    expect(missing).toEqual([])
  })

  it('has them on every screen for errors that do not belong to a feature', async () => {
    const shared = [...(await serverCodes())].filter(([, files]) => files.some((file) => !file.includes('/features/')))
    expect(shared.length).toBeGreaterThan(10)
    expect(shared.filter(([code]) => !(code in common) && !ofOtherClients.has(code))).toEqual([])
  })

  it('has the words of an error where the types say so', () => {
    const missing = Object.entries(errorPlaces).filter(([code, place]) => {
      if (place === null) return !ofOtherClients.has(code)
      const texts = english[place]
      return !texts || !(code in { ...texts, ...(texts.errors as TextGroup | undefined) })
    })
    expect(missing).toEqual([])
  })

  it('excuses only what there is', async () => {
    const codes = await serverCodes()
    expect(codes.size).toBeGreaterThan(100)
    expect([...ofOtherClients].filter((code) => !codes.has(code))).toEqual([])
  })
})

it('the message of a refusal is that of a hook of the product, or in the words of the app', () => {
  const texts = textsOf(coreTexts, 'de', { core: { errors: { FORBIDDEN: 'Nicht erlaubt' } } })
  expect(messageOf({ status: 403, statusText: '', code: 'NOT_INVITED', message: 'Ask Bob' }, texts)).toBe('Ask Bob')
  expect(messageOf({ status: 403, statusText: '', message: 'Forbidden' }, texts)).toBe('Nicht erlaubt')
})
