import type { HonoRequest } from 'hono'
import type { Caller, Scope } from '../identity/scope.ts'
import { auditSubjectOf } from './audit.ts'
import { type Input, type InputReader, inputReader } from './body.ts'
import { refuseDisabledPath } from './edge/disabled-paths.ts'
import { limitRate } from './edge/rate-limit.ts'
import { partyCheckOf, requireAccess, requireAccessForInput } from './edge/require-access.ts'
import { refuseBrowser, refuseForeign, refuseForeignPost, refuseForeignTargets } from './edge/trusted-origin.ts'
import { type Endpoint, isProvenByBody, isSentByVisitor, serverPermissionOf } from './endpoint.ts'
import { httpErrors } from './http.errors.ts'
import { answerJson } from './json-response.ts'
import type { MountedHandler, PartyCheck, Routes } from './routes.ts'

/** Values that are computed once for an endpoint. */
export interface Route {
  endpoint: Endpoint
  handler: MountedHandler
  readInput: InputReader
  checkParty: PartyCheck | null
}

export const routeOf = (endpoint: Endpoint, { handlers, checks }: Routes, operation: string): Route => ({
  endpoint,
  handler: handlers[operation]!,
  readInput: inputReader(endpoint),
  checkParty: partyCheckOf(endpoint, checks),
})

/** A request on its way through the steps. */
interface Progress extends Route {
  scope: Scope
  http: HonoRequest
  request: Request
  input: Input
  /** The validation error of the address, or of a body that was read early; thrown after the access check. */
  invalid?: { thrown: unknown }
  hasBody: boolean
  caller: Caller | null
  party: unknown
  rows: Readonly<Record<string, unknown>>
}

type Step = (progress: Progress) => unknown

/**
 * The steps of each endpoint, in this order. A step rejects the request by throwing. Routing uses the canonical path. The
 * body is read after the access check, unless the access depends on it, so that the body of a stranger costs nothing.
 */
const steps: readonly Step[] = [
  disabledPath,
  trustedOrigin,
  rateLimit,
  guards,
  prefetch,
  addressInput,
  callerAndAccess,
  partyBeforeBody,
  bodyInput,
  validation,
  accessForInput,
  party,
  room,
]

/** Runs the steps and then the handler. */
export async function answerCall(scope: Scope, route: Route, http: HonoRequest): Promise<Response> {
  const progress: Progress = {
    ...route,
    scope,
    http,
    request: http.raw,
    input: noInput,
    hasBody: false,
    caller: null,
    party: undefined,
    rows: {},
  }
  for (const step of steps) {
    const pending = step(progress)
    if (pending !== undefined) await pending
  }
  const { endpoint, handler, request, input, caller, rows } = progress
  const run = async () => {
    const answer = await handler.answer({ scope, caller, party: progress.party, request, ...input }, rows)
    return answer instanceof Response ? answer : answerJson(answer, endpoint.status)
  }
  const [keys] = scope.auditing.serverKey && endpoint.changes.length > 0 ? scope.lifecycle.registry('serverKeys') : []
  return keys ? keys.once(scope, endpoint.path, input.body, run) : run()
}

const noInput: Input = { params: undefined, query: undefined, body: undefined, raw: '' }

function disabledPath({ scope }: Progress) {
  refuseDisabledPath(scope)
}

function trustedOrigin({ scope, endpoint, request }: Progress) {
  if (serverPermissionOf(endpoint) !== null) refuseBrowser(request)
  else if (endpoint.answer === 'socket') refuseForeign(scope, request)
  else if (!endpoint.origins?.foreignPosts) refuseForeignPost(scope, request)
}

function rateLimit({ scope, endpoint }: Progress) {
  return limitRate(scope, endpoint)
}

/** Steps that features add, such as the captcha. */
function guards({ scope, endpoint }: Progress) {
  if (scope.lifecycle.guarding.length > 0) return runGuards(scope, endpoint)
}

async function runGuards(scope: Scope, endpoint: Endpoint) {
  const call = { byVisitor: isSentByVisitor(endpoint) }
  for (const guard of scope.lifecycle.guarding) await guard(scope, call)
}

/** Headers by which browsers, mail programs and messengers mark a prefetch. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** A GET that changes something rejects HEAD requests and prefetches: the user did not open the address. */
function prefetch({ request, endpoint }: Progress) {
  if (endpoint.method !== 'GET' || endpoint.changes.length === 0) return
  const purpose = purposeHeaders.map((name) => request.headers.get(name) ?? '').join(' ')
  if (request.method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose)) throw httpErrors.PREFETCH_REFUSED()
}

/**
 * Validates the parameters of the address, which the reads of a handler need. An error waits until the access check has
 * passed, so that it reveals nothing before.
 */
function addressInput(progress: Progress) {
  try {
    progress.input = { ...noInput, ...progress.readInput.address(progress.http) }
  } catch (thrown) {
    progress.invalid = { thrown }
  }
}

function callerAndAccess(progress: Progress) {
  if (progress.endpoint.access !== 'visitor') return identify(progress)
}

/** Identifies the caller, together with the reads of the handler, and checks the access. */
async function identify(progress: Progress) {
  const { scope, endpoint, handler, invalid } = progress
  const { reads } = handler
  const findWithRows = async () => {
    const found = await scope.callerWith(async (own) => {
      await bodyForReads(progress)
      return progress.invalid ? {} : reads!({ scope, own, ...progress.input })
    })
    if (found) progress.rows = found.rows
    return found?.caller ?? null
  }
  progress.caller = await requireAccess(scope, endpoint, reads && !invalid ? findWithRows : undefined)
}

/** Reads of a handler that need the body: it is read for a request with a claim, whose access the same round trip decides. */
async function bodyForReads(progress: Progress) {
  try {
    await readBody(progress)
  } catch (thrown) {
    progress.invalid = { thrown }
  }
}

function partyBeforeBody(progress: Progress) {
  if (!progress.checkParty || isProvenByBody(progress.endpoint.access)) return
  if (progress.invalid) throw progress.invalid.thrown
  return requireParty(progress, progress.checkParty)
}

function bodyInput(progress: Progress) {
  if (progress.invalid) throw progress.invalid.thrown
  return readBody(progress)
}

function readBody(progress: Progress): Promise<void> | undefined {
  const { endpoint, hasBody } = progress
  if (hasBody || !(endpoint.input?.body || endpoint.input?.raw)) return
  progress.hasBody = true
  return progress.readInput.body(progress.request).then((given) => {
    progress.input = { ...progress.input, ...given }
  })
}

function validation({ scope, endpoint, input }: Progress) {
  scope.auditing.subject = auditSubjectOf(endpoint, input.body)
  refuseForeignTargets(scope, input.query, input.body)
}

function accessForInput({ scope, endpoint, input }: Progress) {
  if (endpoint.accessRules) return requireAccessForInput(scope, endpoint, input.query, input.body)
}

function party(progress: Progress) {
  if (progress.checkParty && isProvenByBody(progress.endpoint.access))
    return requireParty(progress, progress.checkParty)
}

function room({ scope }: Progress) {
  scope.io.requireRoom()
}

async function requireParty(progress: Progress, check: PartyCheck) {
  const { scope, request, input } = progress
  progress.party = await check(scope, { request, ...input })
}
