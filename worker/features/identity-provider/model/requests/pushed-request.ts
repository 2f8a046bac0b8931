import type { Scope } from '../../../../identity/scope.ts'
import type { SingleUse } from '../../../../identity/work.ts'
import { randomString } from '../../../../kit/random.ts'
import { after } from '../../../../kit/time.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { pushedLifetime } from '../protocol/security-profile.ts'

const prefix = 'urn:ietf:params:oauth:request_uri:'
const kind = 'pushed-request'

/** A stored request that has not expired. */
export interface PushedRequest {
  id: string
  /** Unix ms. */
  expiresAt: number
}

/** Whether a request_uri has the form of a pushed request (RFC 9126, section 2.2). */
export const isPushed = (uri: string | undefined): uri is string => uri?.startsWith(prefix) === true

/** Stores a request for as long as login and consent may take. @returns its request_uri, and its lifetime in seconds */
export async function storePushed(scope: Scope, given: Parameters) {
  const id = randomString(43)
  const lifetime = pushedLifetime(scope)
  const expiresAt = after(scope.now(), lifetime).getTime()
  await scope.records.put(kind, id, { value: JSON.stringify(given), expiresAt })
  return { request_uri: prefix + id, expires_in: lifetime, pushed: { id, expiresAt } }
}

/** The request behind a request_uri of this client, or null. Reading does not use it: login and consent return here. */
export async function readPushed(
  scope: Scope,
  uri: string,
  clientId: string,
): Promise<{ given: Parameters; pushed: PushedRequest } | null> {
  const id = uri.slice(prefix.length)
  const peeked = await scope.records.peek(kind, id)
  if (peeked.kind !== 'there') return null
  const given = JSON.parse(peeked.value) as Parameters
  return given.client_id === clientId ? { given, pushed: { id, expiresAt: peeked.expiresAt } } : null
}

/** For the unit of work that ends in a code: a request leads to one code (RFC 9126, section 7.3). */
export const pushedUse = ({ id, expiresAt }: PushedRequest): SingleUse => ({
  kind,
  token: id,
  expiresAt: new Date(expiresAt),
})

/** After that commit: a later visit shows the error page immediately. */
export const forgetPushed = (scope: Scope, { id }: PushedRequest): void =>
  scope.after(() => scope.records.drop(kind, id))
