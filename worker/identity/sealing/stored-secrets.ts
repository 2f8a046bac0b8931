import { eq } from 'drizzle-orm'
import { open, seal } from '../../kit/encrypt.ts'
import { Fault } from '../../kit/errors.ts'
import { storedSecrets } from '../../platform/stored-secrets.table.ts'
import type { Scope } from '../scope.ts'
import type { Settings } from '../settings.ts'
import { unitOfWork } from '../unit-of-work.ts'

/** By settings; an isolate has one. A stored secret never changes, so an isolate reads it once. */
const isolates = new WeakMap<Settings, Map<string, string>>()

/**
 * A secret that the Worker stores, because its value must outlive the rotation of the configured secrets. One D1 round
 * trip at the first use in an isolate; two, and those of `first`, at the first use in the deployment. They do not count
 * against the endpoint's budget.
 * @param first creates the value; of parallel first uses one value is stored, and every caller gets that one
 * @throws Fault if no configured secret opens it
 */
export async function storedSecret(scope: Scope, name: string, first: () => Promise<string>): Promise<string> {
  const { settings, db } = scope
  const known = isolates.get(settings) ?? new Map<string, string>()
  isolates.set(settings, known)
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const select = db.select().from(storedSecrets).where(eq(storedSecrets.name, name))
  scope.io.declare({ d1: 1 })
  let [row] = await select
  if (!row) {
    scope.io.declare({ d1: 2 })
    const value = await seal(settings.secrets, await first())
    const work = unitOfWork(scope)
    // Creates a secret of the deployment at its first use.
    work.audit(null)
    work.run(db.insert(storedSecrets).values({ name, value, createdAt: scope.now() }).onConflictDoNothing())
    const stored = work.run(select)
    await work.commit()
    row = stored.row!
  }
  const value = await open(settings.secrets, row.value).catch((thrown) => {
    throw new Fault(`stored secret ${name}`, thrown)
  })
  known.set(name, value)
  return value
}
