import type { Scope } from '../../identity/scope.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'

/**
 * A browser holds a cookie for each of its sessions: `session_token_multi-<token in lower case>`, with the signed token
 * as its value. One whose name and value do not belong together is none of ours, whoever has signed it.
 */
const prefix = 'session_token_multi-'

const nameFor = (token: string): string => prefix + token.toLowerCase()

/** Whether this browser holds the session's cookie, validly signed. */
export const holdsToken = (scope: Scope, token: string): boolean => scope.cookies.getSigned(nameFor(token)) === token

/** More cookies than any browser of ours gets: what is beyond is not looked at (D1 takes 100 parameters). */
const most = 50

/** The tokens of this browser's sessions, living or not. */
export const heldTokens = (scope: Scope): string[] =>
  scope.cookies
    .namesWith(prefix)
    .flatMap((name) => {
      const token = scope.cookies.getSigned(name)
      return token && nameFor(token) === name ? token : []
    })
    .slice(0, most)

/** @param rememberMe false: the cookie ends with the browser's session, as the session cookie does */
export function holdSession(
  scope: Scope,
  { token, expiresAt }: Pick<Session, 'token' | 'expiresAt'>,
  rememberMe: boolean,
): void {
  const maxAge = Math.ceil((expiresAt.getTime() - scope.now().getTime()) / 1000)
  scope.cookies.setSigned(nameFor(token), token, rememberMe ? { maxAge } : {})
}

export function letGo(scope: Scope, tokens: readonly string[]): void {
  for (const token of tokens) scope.cookies.clear(nameFor(token))
}
