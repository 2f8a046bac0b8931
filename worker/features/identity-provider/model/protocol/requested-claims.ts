import { isTooDeep } from '../../../../http/body.ts'

/** The claims that a request names one by one (OpenID Connect Core, section 5.5), without those that need no scope. */
export interface RequestedClaims {
  userinfo: string[]
  idToken: string[]
}

/** All of the parameter `claims`. */
export interface ClaimsParameter extends RequestedClaims {
  /** The classes of an essential `acr`, joined by spaces (section 5.5.1.1). */
  acrValues: string | undefined
  /** The only user whom the client accepts (section 5.5.1). */
  sub: string | undefined
}

const maxLength = 4000
const maxClaims = 50

/** The claims of each scope (OpenID Connect Core, section 5.4, and `identityProvider.claimScopes`). */
const byScope: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'given_name', 'family_name', 'picture', 'preferred_username', 'updated_at'],
  email: ['email', 'email_verified'],
  roles: ['roles', 'permissions'],
  organizations: ['organizations'],
  groups: ['groups'],
}

/** The claims about users that need a scope. */
export const claimNames = Object.values(byScope).flat()

/** The scopes whose consent a claim needs. A client gets a claim only if its user allows it the whole scope. */
export const scopesOfClaims = (claims: readonly string[]): string[] =>
  Object.keys(byScope).filter((scope) => byScope[scope]!.some((claim) => claims.includes(claim)))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const texts = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : []

/** The known claims of one member; unknown ones are ignored (section 5.5). Null if it is malformed. */
function namesIn(member: unknown): string[] | null {
  if (member === undefined || member === null) return []
  if (!isObject(member) || Object.keys(member).length > maxClaims) return null
  if (!Object.values(member).every((request) => request === null || isObject(request))) return null
  return Object.keys(member).filter((claim) => claimNames.includes(claim))
}

/** Reads the parameter; null if it is malformed. @param text JSON */
export function readClaims(text: string | undefined): ClaimsParameter | null {
  if (text === undefined) return { userinfo: [], idToken: [], acrValues: undefined, sub: undefined }
  if (text.length > maxLength) return null
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(given) || isTooDeep(given)) return null
  const [userinfo, idToken] = [namesIn(given.userinfo), namesIn(given.id_token)]
  if (!userinfo || !idToken) return null
  const { acr, sub } = (given.id_token ?? {}) as Record<string, Record<string, unknown> | null | undefined>
  const classes = acr?.essential === true ? texts([acr.value].concat(acr.values)) : []
  return {
    userinfo,
    idToken,
    acrValues: classes.length > 0 ? classes.join(' ') : undefined,
    sub: typeof sub?.value === 'string' ? sub.value : undefined,
  }
}

/** The claims to store with a grant; null without any. */
export function storedClaims(text: string | undefined): RequestedClaims | null {
  const { userinfo = [], idToken = [] } = readClaims(text) ?? {}
  return userinfo.length + idToken.length > 0 ? { userinfo, idToken } : null
}
