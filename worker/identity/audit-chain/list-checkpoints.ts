import type { SQL } from 'drizzle-orm'
import { checkpointKeys } from '../../kit/audit-checkpoint.ts'
import { base64url, fromBase64url } from '../../kit/base64.ts'
import type { Database } from '../../platform/database.ts'
import type { Rows } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { chainState, checkpointsPage } from './checkpoints.store.ts'
import { signChains } from './checkpoints.ts'

export interface CheckpointsAsked {
  limit: number
  cursor?: string | undefined
}

/** For a batch. @param chain or an expression that identifies it @throws `invalid` for an invalid cursor */
export const checkpointReads = (
  db: Database,
  chain: string | SQL,
  { limit, cursor }: CheckpointsAsked,
  invalid: () => Error,
) => ({
  states: chainState(db, chain),
  checkpoints: checkpointsPage(db, chain, limit, cursor === undefined ? null : idOf(cursor, invalid)),
})

function idOf(cursor: string, invalid: () => Error): number {
  let text = ''
  try {
    text = fromBase64url(cursor)
  } catch {}
  if (!/^\d{1,15}$/.test(text)) throw invalid()
  return Number(text)
}

export async function presentCheckpoints(
  scope: Scope,
  { limit }: CheckpointsAsked,
  { states, checkpoints }: Rows<ReturnType<typeof checkpointReads>>,
) {
  const page = checkpoints.slice(0, limit)
  const last = page.at(-1)
  const [current = null] = await signChains(scope, states)
  return {
    keys: await checkpointKeys(scope.settings.secrets),
    current,
    checkpoints: page.map(({ createdAt, token }) => ({ createdAt, token })),
    nextCursor: last && checkpoints.length > limit ? base64url(String(last.id)) : null,
  }
}
