import { globSync } from 'node:fs'
import { join } from 'node:path'
import { httpErrors } from '../http/http.errors.ts'
import { pathOfOperation } from '../http/operations.ts'
import { idempotencyErrors, serverErrors } from '../http/server.errors.ts'
import type { ErrorKind } from '../kit/errors.ts'
import { readContracts } from './contracts.ts'
import { readOperations } from './operation-table.ts'

/** What to do about an error, for those whose message does not say it. Every code is in the registry. */
export const advice: Readonly<Record<string, string>> = {
  ACCOUNT_NOT_LINKED:
    'A user with this address exists. The user signs in as usual and links the provider, or you add the provider to `account.accountLinking.trustedProviders` if it verifies addresses.',
  API_KEY_ACCESS_DENIED: 'Create the key with a higher access level, or call the endpoint with the session of a user.',
  DATABASE_ALMOST_FULL:
    'See [a nearly full database](limits-and-cost.md#a-nearly-full-database). Repeat after the seconds in `Retry-After`.',
  EMAIL_NOT_VERIFIED:
    'The user opens the link in the mail that this request sent. See `emailAndPassword.requireEmailVerification`.',
  INVALID_API_KEY: 'The key is unknown, deleted or misspelled. Do not retry.',
  INVALID_DPOP_PROOF:
    'The sign-in has the header `DPoP` with a proof for another request, an old one or a repeated one; `WWW-Authenticate` has the reason. See [tokens bound to a key](mobile.md#tokens-that-are-bound-to-a-key).',
  INVALID_EMAIL_OR_PASSWORD:
    'The same answer for an unknown address and a wrong password, so that it reveals no users.',
  INVALID_ORIGIN:
    'Add the origin of the page, with scheme and port, to `trustedOrigins`. For pages of Gatehouse, `BASE_URL` differs from the address in the browser.',
  INTERNAL_SERVER_ERROR: 'Find the log line of the request with `"level":"error"`; `npx wrangler tail` shows it.',
  INVALID_TWO_FACTOR_COOKIE:
    'The sign-in waited longer than `twoFactor.cookieMaxAge`, or began in another browser. The user signs in again.',
  DISPOSABLE_EMAIL: 'See `user.disposableAddresses`; its `except` accepts a domain that is listed by mistake.',
  LAST_WAY_TO_SIGN_IN: 'The user adds another method first.',
  NO_ACTIVE_ORGANIZATION: 'Call `/organization/set-active`, or pass `organizationId`.',
  NOT_FOUND: 'The path does not exist, its feature is off, or `disabledPaths` contains it.',
  OWN_SESSION_REQUIRED: 'Not possible with an API key or during an impersonation. The user signs in.',
  PASSWORD_TOO_COMMON: 'See `emailAndPassword.commonPasswords`.',
  PASSKEY_SIGN_UP_IS_NOT_ENABLED: 'Set `passkey.signUp`.',
  FAILED_TO_VERIFY_REGISTRATION:
    'The page has an origin that `passkey.origin` does not list, or another domain than `passkey.rpID`. The log names it.',
  PAYLOAD_TOO_LARGE: 'Send a smaller body.',
  PREFETCH_REFUSED: 'A browser or proxy prefetched the address. The click of the user works.',
  PROVIDER_NOT_FOUND: 'The provider has no client id, or is disabled. See [social sign-in](social-sign-in.md).',
  RATE_LIMITED: 'The key has used up its limit. See `apiKey.rateLimit`.',
  IDEMPOTENT_REQUEST_IN_PROGRESS: 'Repeat after the seconds in `Retry-After`, with the same body.',
  IDEMPOTENT_ANSWER_LOST:
    'Read what the request has changed. If it has not done everything, send what is missing with a new key.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for each request. Only a repetition of the same request has the same key.',
  SERVER_KEY_ADDRESS_NOT_ALLOWED: 'Add the address of the server to the key, or create a key without a list.',
  SERVER_KEY_IN_BROWSER: 'Call from a server. Pages use the session of their user.',
  SERVER_KEY_PERMISSION_MISSING: 'Create a key with the permission that the answer names.',
  SESSION_KEY_REQUIRED:
    'The session is [bound to a device](security.md#device-bound-sessions) and the request has no current proof: pass on all cookies of Gatehouse. The browser renews the proof with its next request, or the user signs in again. Of a program: each request needs a [proof of its key](mobile.md#tokens-that-are-bound-to-a-key); `WWW-Authenticate` has the reason.',
  SESSION_IS_NOT_FRESH:
    'Ask the user to confirm, then repeat: [confirm that it is the user](single-page-app.md#confirm-that-it-is-the-user).',
  SIGNUP_DISABLED: 'The provider, or the option `disableSignUp`, creates no users.',
  THE_LAST_ADMINISTRATOR_MUST_REMAIN: 'Make another user an administrator first.',
  TOO_MANY_REQUESTS:
    'Wait for the seconds in `Retry-After`. Limits: `rateLimit`, `passwordGuesses`, `messages`. In development set `RATE_LIMIT=off` in `.dev.vars`.',
  UNAUTHORIZED:
    "The request has no valid session, token or key. On another origin, send cookies (`credentials: 'include'`).",
  UNAVAILABLE:
    'D1, KV, a Durable Object or an external service did not respond. Repeat after the seconds in `Retry-After`.',
}

/** The errors of the features' catalogues, with those that no endpoint declares. */
async function cataloguedErrors(): Promise<ErrorKind[]> {
  const worker = join(import.meta.dirname, '..')
  const files = globSync('features/**/*.errors.ts', { cwd: worker }).sort()
  const modules = await Promise.all(files.map((file) => import(join(worker, file)) as Promise<Record<string, unknown>>))
  return modules.flatMap((exported) => Object.values(exported).flatMap(kindsIn))
}

const isKind = (value: unknown): value is ErrorKind =>
  value !== null &&
  ['object', 'function'].includes(typeof value) &&
  'status' in Object(value) &&
  'code' in Object(value)

/** One error, or those of a catalogue. */
const kindsIn = (value: unknown): ErrorKind[] =>
  isKind(value) ? [value] : Object.values(typeof value === 'object' && value !== null ? value : {}).filter(isKind)

/** guides/troubleshooting.md: every error code with status, message and the paths that return it. */
export async function errorGuide(): Promise<string> {
  const anyRequest = '*'
  const elsewhere = ''
  const found: { kind: ErrorKind; path: string }[] = Object.values(httpErrors).map((kind) => ({
    kind,
    path: anyRequest,
  }))
  for (const { contract } of await readContracts()) {
    for (const { path, errors } of Object.values(contract)) for (const kind of errors) found.push({ kind, path })
  }
  for (const kind of Object.values({ ...serverErrors, ...idempotencyErrors }))
    found.push({ kind, path: '/api/server/*' })
  for (const { name, operation } of await readOperations()) {
    for (const kind of operation.errors) if (!('form' in kind)) found.push({ kind, path: pathOfOperation(name) })
  }
  const declared = new Set(found.map(({ kind }) => kind.code))
  for (const kind of await cataloguedErrors()) if (!declared.has(kind.code)) found.push({ kind, path: elsewhere })
  const codes = [...Map.groupBy(found, ({ kind }) => kind.code)].sort(([one], [other]) => (one < other ? -1 : 1))
  const isOurs = (code: string) => code === code.toUpperCase()
  const section = (ours: boolean) =>
    codes
      .filter(([code]) => isOurs(code) === ours)
      .flatMap(([code, same]) => {
        const paths = [...new Set(same.map(({ path }) => path))].sort()
        return [
          `### ${code}`,
          '',
          ...[...new Set(same.map(({ kind }) => `Status ${kind.status}: ${kind.message}`))].map((line) => `- ${line}`),
          paths.includes(anyRequest)
            ? '- Returned by: any request'
            : paths.includes(elsewhere)
              ? '- Returned by: a check before the endpoint, or a redirect'
              : `- Returned by: ${paths.map((path) => `\`${path}\``).join(', ')}`,
          ...(advice[code] === undefined ? [] : [`- ${advice[code]}`]),
          '',
        ]
      })
  return [introduction, ...section(true), '## OAuth and OpenID Connect', '', oauthForm, '', ...section(false)].join(
    '\n',
  )
}

const introduction = `# Troubleshooting by error code

Generated from the errors that the endpoints declare.

Goal: find the cause of an error response.

1. Read \`code\` in the body: \`{ "code": "INVALID_ORIGIN", "message": "Invalid origin" }\`. Programs should compare \`code\`, not \`message\`.
2. Find the code below. \`*\` in a code is the id of a provider or a detail.
3. On a development machine the body of some errors has a \`hint\`: what to change, such as an origin to trust.
4. With \`gatehouse-auth dev\`: \`npx gatehouse-auth explain ID\` says what failed, why, and what to do. The id is the header \`x-request-id\` of the
   response; without an id it explains the latest error. The errors since the start are in \`.wrangler/gatehouse/errors.ndjson\`, without bodies,
   queries and headers.
5. If that does not explain it, read the log: \`npx wrangler dev\` prints it, \`npx wrangler tail\` prints that of a deployment.

Invalid input is 400 \`VALIDATION_ERROR\`, with \`issues\` that contain the path and the reason. A hook can return
codes of your own: [hooks](customise-hooks.md).

| status | meaning for a client |
|---|---|
| 400, 404, 409, 413, 422 | the request is wrong; do not repeat it unchanged |
| 401 | sign in again |
| 403 | signed in, but not permitted |
| 429 | wait for the seconds in \`Retry-After\` |
| 500 | a defect; the log has it |
| 503 | repeat after \`Retry-After\` |

## Codes
`

const oauthForm = 'These have the form `{ "error": "invalid_grant", "error_description": "..." }` (RFC 6749).'
