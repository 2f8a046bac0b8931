import type { Session } from '../../../identity/sessions/sessions.table.ts'

/** What a session's proof is called among the authentication methods (RFC 8176, section 2). */
const methods: Record<string, string[]> = {
  password: ['pwd'],
  possession: ['otp'],
  'both-factors': ['mfa', 'hwk', 'user'],
  'second-factor': ['mfa', 'otp'],
  creation: ['pwd'],
}

/** `amr`: how the person of a session signed in; empty where nobody wrote it down. */
export const methodsOf = (session: Session): string[] => methods[session.proven ?? ''] ?? []

/** The classes of authentication that are told apart. */
export const authenticationClasses = ['urn:mace:incommon:iap:silver', 'urn:mace:incommon:iap:bronze'] as const
