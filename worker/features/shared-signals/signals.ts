import { jobStatementsFor } from '../../identity/jobs/jobs.ts'
import type { EventRows, EventType } from '../../identity/model/events.ts'
import type { JobFacts, JobKind } from '../../identity/model/job-kind.ts'
import type { SecurityEventType } from '../../identity/model/security-event-types.ts'
import type { Scope } from '../../identity/scope.ts'
import { open } from '../../kit/encrypt.ts'
import { GiveUp } from '../../kit/errors.ts'
import { hours } from '../../kit/time.ts'
import { secretOf } from '../../platform/env.ts'
import { readText } from '../../platform/outside.ts'
import type { Statement } from '../../platform/statements.ts'
import { jwtIssuerOf, signJwt } from '../jwt/signing-keys.ts'
import { sharedSignalOptions } from './shared-signals.config.ts'
import {
  changedCredentials,
  disabledAccounts,
  findReceiver,
  jobsOfConfigured,
  jobsOfRegistered,
  queueSignals,
  registeredPrefix,
  revokedSessions,
  type SignalRows,
} from './shared-signals.store.ts'
import type { SignalType } from './signal-types.ts'

const caep = 'https://schemas.openid.net/secevent/caep/event-type/'
const risc = 'https://schemas.openid.net/secevent/risc/event-type/'

/** The URIs of CAEP 1.0 and RISC 1.0. */
export const uriOf: Record<Signal['type'], string> = {
  // SSF 1.0, section 8.1.4.
  verification: 'https://schemas.openid.net/secevent/ssf/event-type/verification',
  'session-revoked': `${caep}session-revoked`,
  'credential-change': `${caep}credential-change`,
  'account-disabled': `${risc}account-disabled`,
}

interface CredentialChange {
  credential_type: string
  change_type: 'create' | 'update' | 'delete'
}

/**
 * CAEP 1.0, section 3.3. `passkey` is not one of its types: an authenticator does not reveal whether it is part of the
 * device, which the types for FIDO distinguish.
 */
const credentialChanges: Partial<Record<SecurityEventType, CredentialChange>> = {
  'password-set': { credential_type: 'password', change_type: 'create' },
  'password-changed': { credential_type: 'password', change_type: 'update' },
  'password-reset': { credential_type: 'password', change_type: 'update' },
  'passkey-added': { credential_type: 'passkey', change_type: 'create' },
  'passkey-removed': { credential_type: 'passkey', change_type: 'delete' },
  'phone-number-added': { credential_type: 'phone-sms', change_type: 'create' },
  'phone-number-changed': { credential_type: 'phone-sms', change_type: 'update' },
  'phone-number-removed': { credential_type: 'phone-sms', change_type: 'delete' },
  'two-factor-enabled': { credential_type: 'app', change_type: 'create' },
  'two-factor-disabled': { credential_type: 'app', change_type: 'delete' },
}
const changingTypes = Object.keys(credentialChanges) as SecurityEventType[]

/** Lifecycle place `recording`: writes a signal for each receiver that wants the event. */
export function writeSignals(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  switch (type) {
    case 'session.ended':
      return write(scope, 'session-revoked', () => revokedSessions(rows()))
    case 'user.updated':
      return write(scope, 'account-disabled', () => disabledAccounts(rows()))
    case 'security.event':
      return write(scope, 'credential-change', () => changedCredentials(rows(), changingTypes))
    default:
      return []
  }
}

function write(scope: Scope, type: SignalType, rowsOf: () => SignalRows): Statement[] {
  const { receivers, registration } = sharedSignalOptions.of(scope)
  const wanting = receivers.filter(({ events }) => events.includes(type)).map(({ name }) => name)
  if (wanting.length === 0 && !registration) return []
  const signal = rowsOf()
  const configured = wanting.length > 0 ? jobStatementsFor(scope, 'signal', jobsOfConfigured(signal, wanting)) : []
  if (!registration) return configured
  return [
    ...configured,
    ...jobStatementsFor(scope, 'signal', jobsOfRegistered(signal)),
    queueSignals(scope.db, signal, scope.now()),
  ]
}

/** What a job or a waiting event stores of a signal. */
export type Signal =
  | {
      type: SignalType
      userId: string
      /** For session-revoked. */
      sessionId?: string
      /** For credential-change. */
      change?: SecurityEventType
    }
  | { type: 'verification'; streamId: string; state?: string }

/** SSF 1.0, section 3: the subject of an event. */
function subjectOf(issuer: string, signal: Signal) {
  if (signal.type === 'verification') return { format: 'opaque', id: signal.streamId }
  const { userId, sessionId } = signal
  const user = { format: 'iss_sub', iss: issuer, sub: userId }
  return sessionId ? { format: 'complex', user, session: { format: 'opaque', id: sessionId } } : user
}

function eventOf(signal: Signal, at: Date) {
  if (signal.type === 'verification') return signal.state === undefined ? {} : { state: signal.state }
  const { type, change } = signal
  // RISC 1.0 has no time of its events: a SET has `toe`.
  if (type === 'account-disabled') return {}
  return { event_timestamp: secondsOf(at), ...(change && credentialChanges[change]) }
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)

/** The errors of RFC 8935, section 2.4, after which the same event may be accepted later. */
const passing = ['invalid_key', 'authentication_failed', 'access_denied']

/** Signs a security event token (RFC 8417). Each attempt has the same `jti`. */
export function signedEvent(
  scope: Scope,
  audience: string,
  signal: Signal,
  { id, createdAt }: Pick<JobFacts, 'id' | 'createdAt'>,
): Promise<string> {
  const iss = jwtIssuerOf(scope)
  const claims = {
    ...{ iss, aud: audience, jti: id, toe: secondsOf(createdAt) },
    sub_id: subjectOf(iss, signal),
    events: { [uriOf[signal.type]]: eventOf(signal, createdAt) },
  }
  return signJwt(scope, claims, { typ: 'secevent+jwt', expiresIn: null })
}

interface Destination {
  url: string
  audience: string
  authorization: string | undefined
}

/** @throws GiveUp for a receiver that gets no events any more; an error while it has paused its stream */
async function destinationOf(scope: Scope, target: string): Promise<Destination> {
  if (!target.startsWith(registeredPrefix)) {
    const receiver = sharedSignalOptions.of(scope).receivers.find(({ name }) => name === target)
    if (!receiver) throw new GiveUp('the receiver is not configured any more')
    const { authorization } = receiver
    return { ...receiver, authorization: authorization && (secretOf(scope.env, authorization) ?? undefined) }
  }
  const found = await findReceiver(scope.db, { id: target.slice(registeredPrefix.length) })
  if (!found?.url || found.status === 'disabled') throw new GiveUp('the receiver gets no events any more')
  if (found.status === 'paused') throw new Error('the receiver has paused its stream')
  const { url, audience, authorization } = found
  return {
    ...{ url, audience },
    authorization: authorization === null ? undefined : await open(scope.settings.secrets, authorization),
  }
}

/** Pushes a security event token (RFC 8935). */
async function push(scope: Scope, signal: Signal, job: JobFacts): Promise<void> {
  const { url, audience, authorization } = await destinationOf(scope, job.target)
  const { timeout } = sharedSignalOptions.of(scope)
  const token = await signedEvent(scope, audience, signal, job)
  const answer = await scope.io.uncounted.outside(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      ...(authorization && { authorization }),
    },
    body: token,
    timeout,
  })
  if (answer.status !== 400) {
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the receiver answered ${answer.status}`)
    return
  }
  const code = errorOf(await readText(answer, 4096))
  if (code && !passing.includes(code)) throw new GiveUp(`the receiver refused the event: ${code}`)
  throw new Error(`the receiver answered 400 ${code ?? ''}`.trim())
}

/** The `err` of a refusal, if it is a code. */
function errorOf(text: string | null): string | null {
  try {
    const { err } = JSON.parse(text ?? '') as { err?: unknown }
    return typeof err === 'string' && /^[\w-]{1,64}$/.test(err) ? err : null
  } catch {
    return null
  }
}

/** `signal/<receiver>` */
export const signalJobs: Record<'signal', JobKind<Scope>> = {
  signal: {
    run: push,
    parallel: 6,
    batchSize: 100,
    cost: 2,
    maxRest: hours(1),
    rules: (scope) => {
      const { giveUpAfter, keepFailed } = sharedSignalOptions.of(scope)
      return { giveUpAfter, keepFailed }
    },
  },
}
