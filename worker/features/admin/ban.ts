import { recordUser } from '../../identity/events/record.ts'
import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { endSessionsStatements, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { moveSecurityVersion } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { userChanged } from '../../identity/users/users.ts'
import { AppError } from '../../kit/errors.ts'
import { after } from '../../kit/time.ts'
import { runBatch } from '../../platform/statements.ts'
import { act, keepsAnAdmin, requireSubject } from './act.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { type Ban, clearExpiredBan, updateBan } from './admin.store.ts'
import type { Actor } from './audit/audit.ts'

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS
const noBan: Ban = { banned: false, banReason: null, banExpires: null }

const shown = ({ banned, banReason, banExpires }: Ban) => ({ banned, banReason, banExpires })

/**
 * Bans somebody, and ends at once all that they are signed in with: sessions, trusted devices, pending links and codes.
 * @param expiresIn seconds; null for the configured time, which is for good unless it says otherwise
 * @throws see the contract
 */
export async function banUser(
  scope: Scope,
  actor: Actor,
  userId: string,
  { reason, expiresIn }: { reason?: string | null | undefined; expiresIn?: number | null | undefined } = {},
): Promise<User> {
  if (actor?.user.id === userId) throw errors.YOU_CANNOT_BAN_YOURSELF()
  const subject = await requireSubject(scope, actor, userId, refusal)
  const { defaultBanReason, defaultBanExpiresIn } = adminOptions.of(scope)
  const now = scope.now()
  const lasting = expiresIn ?? defaultBanExpiresIn
  const ban: Ban = {
    banned: true,
    banReason: reason || defaultBanReason,
    banExpires: lasting === null ? null : after(now, lasting),
  }
  await act(scope, actor, subject, {
    action: 'ban-user',
    before: shown(subject),
    after: shown(ban),
    keeps: keepsAnAdmin(scope, subject),
    statements: [
      updateBan(scope.db, userId, ban, now),
      ...recordUser(scope, 'user.updated', userId),
      ...endSessionsStatements(scope, userId),
      moveSecurityVersion(scope.db, userId),
    ],
  })
  forgetSessionsOf(scope, userId)
  return told(scope, { ...subject, ...ban, updatedAt: now, securityVersion: subject.securityVersion + 1 })
}

/** Lifts a ban. @throws see the contract */
export async function unbanUser(scope: Scope, actor: Actor, userId: string): Promise<User> {
  const subject = await requireSubject(scope, actor, userId, refusal)
  if (!subject.banned) return subject
  const now = scope.now()
  await act(scope, actor, subject, {
    action: 'unban-user',
    before: shown(subject),
    after: shown(noBan),
    statements: [updateBan(scope.db, userId, noBan, now), ...recordUser(scope, 'user.updated', userId)],
  })
  return told(scope, { ...subject, ...noBan, updatedAt: now })
}

async function told(scope: Scope, user: User): Promise<User> {
  await userChanged(scope, user)
  return user
}

/**
 * Lifecycle place `signingIn`, before the second factor is asked for: whoever is banned is told why and until when.
 * A ban that has ended is cleared; the statement that writes the session lets them in already.
 * @throws BANNED_USER
 */
export function refuseBanned(scope: Scope, { user }: SignInAttempt): null {
  if (!user.banned) return null
  const now = scope.now()
  const { banReason, banExpires } = user
  if (banExpires === null || banExpires > now) {
    const { status, code } = errors.BANNED_USER
    const extra = { banReason, banExpires }
    throw new AppError(status, code, adminOptions.of(scope).bannedUserMessage, { extra })
  }
  const cleared = [clearExpiredBan(scope.db, user.id, now), ...recordUser(scope, 'user.updated', user.id)]
  scope.after(() => runBatch(scope.db, cleared))
  Object.assign(user, noBan)
  return null
}
