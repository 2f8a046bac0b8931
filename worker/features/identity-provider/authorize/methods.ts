import type { Session } from '../../../identity/sessions/sessions.table.ts'

/** What a session's proof is called among the authentication methods (RFC 8176, section 2). */
const methods: Record<string, string[]> = {
  password: ['pwd'],
  possession: ['otp'],
  'both-factors': ['mfa', 'hwk', 'user'],
  'second-factor': ['mfa', 'otp'],
}

/** The same for a session that a new account began with, by how it was made. */
const methodsOfCreation: Record<string, string[]> = {
  'sign-up': ['pwd'],
  'magic-link': ['otp'],
  'email-otp': ['otp'],
  'phone-otp': ['otp'],
}

/** `amr`: how the person of a session signed in; empty where nobody wrote it down. */
export const methodsOf = ({ proven, method }: Session): string[] =>
  (proven === 'creation' ? methodsOfCreation[method ?? ''] : methods[proven ?? '']) ?? []

/** The classes of authentication that are told apart. */
export const authenticationClasses = ['urn:mace:incommon:iap:silver', 'urn:mace:incommon:iap:bronze'] as const
