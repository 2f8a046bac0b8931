import type * as z from 'zod'
import { httpErrors } from '../../http/http.errors.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { seal } from '../../kit/encrypt.ts'
import { sha256 } from '../../kit/hash.ts'
import { newId, randomString } from '../../kit/random.ts'
import { actorStands } from '../admin/admin.store.ts'
import { isReceiverAddress, sharedSignalOptions } from './shared-signals.config.ts'
import type { newReceiver } from './shared-signals.contract.ts'
import { sharedSignalErrors as errors } from './shared-signals.errors.ts'
import * as store from './shared-signals.store.ts'
import type { StoredReceiver, StreamStatus } from './shared-signals.table.ts'
import { signalTypes } from './signal-types.ts'
import { addVerification, changeStream } from './streams.ts'

/** A receiver as administrators see it. */
export const presentReceiver = (
  { authorization: _a, tokenHash: _t, verifiedAt: _v, ...shown }: StoredReceiver,
  waiting: number,
) => ({ ...shown, waiting })

/** @throws NOT_FOUND unless administrators register receivers */
export function requireRegistration(scope: Scope): void {
  if (!sharedSignalOptions.of(scope).registration) throw httpErrors.NOT_FOUND()
}

/** The token of a receiver's own endpoints. */
const newToken = () => `gh_ss_${randomString(48)}`

/** Registers a receiver. @returns the row, and the token, which the response shows once */
export async function createReceiver(
  scope: Scope,
  caller: Caller,
  { name, audience, events = [...signalTypes], url, authorization }: z.output<typeof newReceiver>,
): Promise<{ row: StoredReceiver; token: string }> {
  requireRegistration(scope)
  if (url !== undefined && !isReceiverAddress(url, scope.settings.environment)) throw errors.INVALID_SIGNAL_ADDRESS()
  const token = newToken()
  const row: StoredReceiver = {
    ...{ id: newId(), name, audience, events: [...new Set(events)], url: url ?? null },
    authorization:
      url === undefined || authorization === undefined ? null : await seal(scope.settings.secrets, authorization),
    ...{ tokenHash: sha256(token), status: 'enabled', reason: null, verifiedAt: null, createdAt: scope.now() },
  }
  const work = unitOfWork(scope)
  work.require(actorStands(scope.db, caller), errors.SIGNAL_ADMINISTRATOR_HAS_CHANGED)
  const { maxReceivers } = sharedSignalOptions.of(scope)
  work.require(store.hasFewerReceivers(maxReceivers), errors.MAXIMUM_NUMBER_OF_SIGNAL_RECEIVERS_REACHED)
  work.run(store.insertReceiver(scope.db, row))
  const after = { name, audience, url: row.url, events: row.events }
  work.audit({ action: 'create-signal-receiver', subjectType: 'signal-receiver', subjectId: row.id, after })
  await work.commit()
  return { row, token }
}

/** @throws SIGNAL_RECEIVER_NOT_FOUND */
export async function setReceiverStatus(scope: Scope, caller: Caller, id: string, status: StreamStatus): Promise<void> {
  requireRegistration(scope)
  const work = unitOfWork(scope)
  work.require(actorStands(scope.db, caller), errors.SIGNAL_ADMINISTRATOR_HAS_CHANGED)
  changeStream(scope, work, id, status, null)
  work.audit({ action: 'update-signal-receiver', subjectType: 'signal-receiver', subjectId: id, after: { status } })
  await work.commit()
}

/** Sends a verification event. @throws SIGNAL_RECEIVER_NOT_FOUND, TOO_MANY_VERIFICATIONS */
export async function verifyReceiver(scope: Scope, caller: Caller, id: string): Promise<void> {
  requireRegistration(scope)
  const receiver = await store.findReceiver(scope.db, { id })
  if (!receiver) throw errors.SIGNAL_RECEIVER_NOT_FOUND()
  const work = unitOfWork(scope)
  work.require(actorStands(scope.db, caller), errors.SIGNAL_ADMINISTRATOR_HAS_CHANGED)
  addVerification(scope, work, receiver)
  work.audit({ action: 'verify-signal-receiver', subjectType: 'signal-receiver', subjectId: id })
  await work.commit()
}

/** @throws SIGNAL_RECEIVER_NOT_FOUND */
export async function deleteReceiver(scope: Scope, caller: Caller, id: string): Promise<void> {
  requireRegistration(scope)
  const work = unitOfWork(scope)
  work.require(actorStands(scope.db, caller), errors.SIGNAL_ADMINISTRATOR_HAS_CHANGED)
  work.run(store.deleteReceiver(scope.db, id)).orFail(errors.SIGNAL_RECEIVER_NOT_FOUND)
  work.audit({ action: 'delete-signal-receiver', subjectType: 'signal-receiver', subjectId: id })
  await work.commit()
}
