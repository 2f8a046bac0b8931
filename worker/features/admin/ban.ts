import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { noSession, sessionsOf } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { moveSecurityVersion } from '../../identity/users/users.store.ts'
import { AppError } from '../../kit/errors.ts'
import { after } from '../../kit/time.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { type Ban, clearExpiredBan, updateBan } from './admin.store.ts'
import { changeOf, requireSubject } from './change-user.ts'
import type { Actor } from './may-administer.ts'

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS
const noBan: Ban = { banned: false, banReason: null, banExpires: null }

const shown = ({ banned, banReason, banExpires }: Ban) => ({ banned, banReason, banExpires })

/** Bans a user, and ends their sessions, devices, links and codes. @param expiresIn seconds; null: as configured */
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
  const banned: User = { ...subject, ...ban, updatedAt: now, securityVersion: subject.securityVersion + 1 }
  const change = { before: shown(subject), after: shown(ban), keepsAdmin: true }
  const work = changeOf(scope, actor, subject, { action: 'ban-user', ...change })
  work.run(updateBan(scope.db, userId, ban, now), {
    unlessUnchanged: true,
    unlessAlready: noSession(sessionsOf(userId)),
  })
  announceUser(scope, work, 'user.updated', userId, banned)
  endSessions(scope, work, sessionsOf(userId))
  work.run(moveSecurityVersion(scope.db, userId))
  await work.commit(() => forgetSessionsOf(scope, userId))
  return banned
}

/** Lifts a ban. */
export async function unbanUser(scope: Scope, actor: Actor, userId: string): Promise<User> {
  const subject = await requireSubject(scope, actor, userId, refusal)
  if (!subject.banned) return subject
  const now = scope.now()
  const unbanned: User = { ...subject, ...noBan, updatedAt: now }
  const work = changeOf(scope, actor, subject, { action: 'unban-user', before: shown(subject), after: shown(noBan) })
  work.run(updateBan(scope.db, userId, noBan, now))
  announceUser(scope, work, 'user.updated', userId, unbanned)
  await work.commit()
  return unbanned
}

/** Lifecycle place `signingIn`, before the second factor. A ban that has ended is cleared. @throws BANNED_USER */
export function refuseBanned(scope: Scope, { user }: SignInAttempt): null {
  if (!user.banned) return null
  const now = scope.now()
  const { banReason, banExpires } = user
  if (banExpires === null || banExpires > now) {
    const { status, code } = errors.BANNED_USER
    const extra = { banReason, banExpires }
    throw new AppError(status, code, adminOptions.of(scope).bannedUserMessage, { extra })
  }
  const work = unitOfWork(scope)
  work.audit({ action: 'ban-expired', actor: { type: 'system', id: null }, subjectId: user.id })
  work.run(clearExpiredBan(scope.db, user.id, now))
  announceUser(scope, work, 'user.updated', user.id)
  scope.after(() => work.commit())
  Object.assign(user, noBan)
  return null
}
