import type { Session } from '../../../identity/model/sessions.table.ts'
import type { Scope } from '../../../identity/scope.ts'

/** `session_token_multi-<token in lower case>` holds a signed session token. Its name and value have to match. */
const prefix = 'session_token_multi-'

const nameFor = (token: string): string => prefix + token.toLowerCase()

/** Whether this browser has the session's cookie with a valid signature. */
export const holdsToken = (scope: Scope, token: string): boolean =>
  scope.response.cookies.getSigned(nameFor(token)) === token

/** More cookies than a browser gets from us. Further cookies are ignored (D1 allows 100 parameters). */
const most = 50

/** The tokens of this browser's sessions, active or not. */
export const heldTokens = (scope: Scope): string[] =>
  scope.response.cookies
    .namesWith(prefix)
    .flatMap((name) => {
      const token = scope.response.cookies.getSigned(name)
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
  scope.response.cookies.setSigned(nameFor(token), token, rememberMe ? { maxAge } : {})
}

export function letGo(scope: Scope, tokens: readonly string[]): void {
  for (const token of tokens) scope.response.cookies.clear(nameFor(token))
}
