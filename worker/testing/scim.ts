import { newId } from '../kit/random.ts'
import { oidcConnection } from './connections.ts'
import { type Answer, origin, type TestApp } from './harness.ts'
import { type Company, company } from './organizations.ts'
import { insertRows } from './rows.ts'

/** For tests: the identity provider of an organization as a SCIM client. */

export interface ScimDirectory {
  at: Company
  connectionId: string
  token: string
  /** Sends a request below the address of the directory. */
  scim(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Requests with a token. */
export const scimClient =
  (app: TestApp, connectionId: string, token: string) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    app.fetch(
      new Request(`${origin}/api/auth/scim/v2/${connectionId}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'cf-connecting-ip': '198.51.100.9',
          ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )

/** An organization with a connection, a directory token, and a verified domain unless it is null. */
export async function scimDirectory(
  app: TestApp,
  slug: string,
  domain: string | null,
  more: object = {},
): Promise<ScimDirectory> {
  const at = await company(app, slug)
  const { device } = at.owner
  const created = await device.post('/sso/create-connection', { ...oidcConnection, ...more })
  const connectionId: string = created.body.id
  const { token } = (await device.post('/sso/create-directory-token', { connectionId })).body
  if (domain !== null) {
    const now = new Date()
    const verified = { verifiedAt: now, checkedAt: now, createdAt: now, missingSince: null, connectionId: null }
    await insertRows('organization_domains', { id: newId(), organizationId: at.id, domain, token: 'x', ...verified })
  }
  return { at, connectionId, token, scim: scimClient(app, connectionId, token) }
}

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export const patchOf = (...Operations: object[]) => ({ schemas: [patchUrn], Operations })
