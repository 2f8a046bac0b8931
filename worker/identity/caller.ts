import type { Session } from './sessions/sessions.table.ts'
import type { User } from './users/users.table.ts'

/** Who is calling, and how they showed it. */
export interface Caller {
  session: Session
  user: User
  via: 'cookie' | 'bearer' | 'api-key'
}
