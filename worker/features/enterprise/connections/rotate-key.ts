import type { Scope } from '../../../identity/scope.ts'
import { Overtaken } from '../../../identity/unit-of-work.ts'
import type { Connection } from '../model/connections.table.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { type SsoManager, workOf } from '../model/managers.ts'
import * as store from '../model/model.store.ts'
import type { RotationStep } from '../model/rotation.ts'
import { newOwnKey } from '../saml/own-keys.ts'
import { connectionSubject } from './audited-connection.ts'
import { laterThan } from './connections.ts'
import { noticeAtOf } from './notice-times.ts'
import { type KeyPair, keyColumns } from './own-keys.ts'
import { ownKeysOf } from './present-connection.ts'

/** Rotates the key pair of a SAML connection. @throws SSO_CONNECTION_NOT_FOUND, CONNECTION_HAS_NO_SECOND_KEY */
export async function rotateKey(
  scope: Scope,
  manager: SsoManager,
  { connectionId, step }: { connectionId: string; step: RotationStep },
): Promise<Connection> {
  const [seen] = await store.connectionQuery(scope.db, manager.organizationId, connectionId)
  if (seen?.type !== 'saml') throw errors.SSO_CONNECTION_NOT_FOUND()
  const privateKeys = await ownKeysOf(scope, seen)
  const pairs = seen.ownCertificates.map((own, index): KeyPair => ({ ...own, privateKey: privateKeys[index]! }))
  const now = scope.now()
  const changes = await keyColumns(scope, await nextPairs(pairs, step, now))
  const work = workOf(scope, manager)
  const updated = work
    .run(
      store.updateConnection(scope.db, seen, {
        ...changes,
        noticeAt: noticeAtOf(now, { ...seen, ...changes }),
        updatedAt: laterThan(seen.updatedAt, now),
      }),
    )
    .orFail(() => new Overtaken())
  work.audit({ ...connectionSubject(seen), after: { step } })
  await work.commit()
  return updated.row
}

async function nextPairs(pairs: KeyPair[], step: RotationStep, now: Date): Promise<KeyPair[]> {
  const [first, second] = pairs
  if (step === 'add') return [...(first ? [first] : []), await newOwnKey(now)]
  if (!first || !second) throw errors.CONNECTION_HAS_NO_SECOND_KEY()
  return step === 'switch' ? [second, first] : [first]
}
