import type { OperatorCommand } from '../../features/admin/operator-commands.ts'
import { newId } from '../../kit/random.ts'
import { literal } from '../sql-literal.ts'

/** The statement that gives the Worker a command, if the user still exists. The cron trigger runs it. */
export function commandStatement(command: OperatorCommand, now: Date): string {
  const { userId } = command
  const values = [newId(), 'operator', userId, JSON.stringify(command), 0, now, 'pending', now].map(literal)
  return `INSERT INTO jobs (id, kind, key, payload, attempts, next_at, state, created_at) SELECT ${values.join(', ')} WHERE EXISTS (SELECT 1 FROM users WHERE id = ${literal(userId)})`
}
