import { exportJWK, generateKeyPair } from 'jose'
import type { Scope } from '../../../identity/scope.ts'
import { Overtaken } from '../../../identity/unit-of-work.ts'
import { seal } from '../../../kit/encrypt.ts'
import { splitRoles } from '../../../kit/permissions.ts'
import { isClientAddress } from '../../../kit/public-address.ts'
import { newId } from '../../../kit/random.ts'
import { isOwner, requireMemberRoles } from '../../organization/model/membership.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import type { ConnectionConfig, Mapping } from '../model/connection-config.ts'
import type { Connection, ConnectionState } from '../model/connections.table.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { type SsoManager, workOf } from '../model/managers.ts'
import * as store from '../model/model.store.ts'
import { notifyOwners } from '../model/notify-owners.ts'
import { endForbidden, endSessionsOf } from '../policy/end-sessions.store.ts'
import { readCertificates } from '../saml/certificates.ts'
import { newOwnKey } from '../saml/own-keys.ts'
import { auditedValues, changedValues, connectionSubject } from './audited-connection.ts'
import { refreshAtOf } from './metadata.ts'
import { noticeAtOf } from './notice-times.ts'
import { keyColumns } from './own-keys.ts'

export interface NewConnection {
  name: string
  /** Without it, a connection of the type waits for the values of its identity provider. */
  config?: ConnectionConfig | undefined
  type?: ConnectionConfig['type'] | undefined
  clientSecret?: string | undefined
  mapping: Mapping
}

/** A connection begins as a draft. @throws see the contract */
export async function createConnection(scope: Scope, manager: SsoManager, input: NewConnection): Promise<Connection> {
  const connection = await newConnection(scope, manager.organizationId, input)
  const work = workOf(scope, manager)
  work
    .run(store.insertConnection(scope.db, connection, enterpriseOptions.of(scope).maxConnections))
    .orFail(errors.MAXIMUM_NUMBER_OF_CONNECTIONS_REACHED)
  work.audit({ ...connectionSubject(connection), after: auditedValues(connection) })
  await work.commit()
  return connection
}

/** The identity provider needs the values of the connection before it has its own. */
const incomplete: Record<ConnectionConfig['type'], ConnectionConfig> = {
  oidc: { type: 'oidc', issuer: '', clientId: '', authentication: 'client-secret-basic', scopes: [] },
  saml: {
    type: 'saml',
    entityId: '',
    ssoUrl: '',
    certificates: [],
    sloUrl: null,
    metadataUrl: null,
    signsRequests: true,
    acceptsIdpInitiated: false,
  },
}

/** The row of a new connection, with its sealed secret. */
export async function newConnection(
  scope: Scope,
  organizationId: string,
  { name, config, type = config?.type ?? 'saml', clientSecret, mapping }: NewConnection,
): Promise<Connection> {
  const now = scope.now()
  const secrets = config
    ? await withSecrets(scope, config, clientSecret, null)
    : { config: incomplete[type], secret: null }
  const own = type === 'saml' ? await keyColumns(scope, [await newOwnKey(now)]) : { ownKeys: null, ownCertificates: [] }
  return {
    id: newId(),
    organizationId,
    type: secrets.config.type,
    name,
    state: 'draft',
    mapping: checkedMapping(scope, mapping),
    ...secrets,
    draftConfig: null,
    draftSecret: null,
    ...own,
    refreshAt: refreshAtOf(scope, secrets),
    noticeAt: noticeAtOf(now, { ...secrets, ...own }),
    lastTest: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** @throws ROLE_NOT_FOUND; ROLE_CANNOT_BE_MAPPED for owners, whom owners appoint */
function checkedMapping(scope: Scope, mapping: Mapping): Mapping {
  const named = [mapping.defaultRole, ...mapping.roles.map(({ role }) => role)]
  for (const role of named) {
    requireMemberRoles(scope, role)
    if (isOwner(scope, role) || splitRoles(role).length !== 1) throw errors.ROLE_CANNOT_BE_MAPPED()
  }
  return mapping
}

/** The stored configuration and the sealed secret. A missing client secret keeps the stored one. */
async function withSecrets(
  scope: Scope,
  given: ConnectionConfig,
  clientSecret: string | undefined,
  stored: Connection | null,
): Promise<Pick<Connection, 'config' | 'secret'>> {
  const { publicKey: _publicKey, certificatesExpireAt: _certificatesExpireAt, ...config } = given
  if (config.type === 'saml') return { config: withCertificates(scope, config), secret: null }
  const kept = stored?.config.type === 'oidc' ? { secret: stored.secret, config: stored.config } : null
  requirePublicIssuer(scope, config.issuer)
  const hadKey = kept?.config.authentication === 'private-key-jwt'
  if (config.authentication === 'private-key-jwt') {
    if (kept && hadKey) return { config: { ...config, publicKey: kept.config.publicKey }, secret: kept.secret }
    const { publicKey, privateKey } = await newKeyPair()
    return { config: { ...config, publicKey }, secret: await seal(scope.settings.secrets, JSON.stringify(privateKey)) }
  }
  if (clientSecret) return { config, secret: await seal(scope.settings.secrets, clientSecret) }
  // A secret belongs to its issuer: it is never sent to another one.
  if (!kept?.secret || hadKey || kept.config.issuer !== config.issuer) throw errors.CLIENT_SECRET_IS_REQUIRED()
  return { config, secret: kept.secret }
}

/** @throws INVALID_SIGN_IN_URL, INVALID_SIGN_OUT_URL, INVALID_METADATA_URL, INVALID_CERTIFICATE */
function withCertificates(scope: Scope, config: Extract<ConnectionConfig, { type: 'saml' }>): ConnectionConfig {
  if (!isClientAddress(config.ssoUrl, scope.settings)) throw errors.INVALID_SIGN_IN_URL()
  const { sloUrl, metadataUrl } = config
  if (sloUrl && !isClientAddress(sloUrl, scope.settings)) throw errors.INVALID_SIGN_OUT_URL()
  if (metadataUrl && !isClientAddress(metadataUrl, scope.settings)) throw errors.INVALID_METADATA_URL()
  const read = readCertificates(config.certificates)
  if (!read) throw errors.INVALID_CERTIFICATE()
  return { ...config, certificates: read.certificates, certificatesExpireAt: read.expireAt }
}

/** A key pair for `private_key_jwt` (RFC 7523). All identity providers support RS256. */
async function newKeyPair() {
  const pair = await generateKeyPair('RS256', { extractable: true })
  const [publicJwk, privateKey] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  const kid = newId()
  return {
    publicKey: { ...publicJwk, kid, use: 'sig', alg: 'RS256' },
    privateKey: { ...privateKey, kid, alg: 'RS256' },
  }
}

/** @throws INVALID_ISSUER for an address that the Worker must not request */
function requirePublicIssuer(scope: Scope, issuer: string): void {
  if (!isClientAddress(issuer, scope.settings) || /[?#]/.test(issuer)) throw errors.INVALID_ISSUER()
}

export interface ConnectionChanges {
  connectionId: string
  name?: string | undefined
  config?: ConnectionConfig | undefined
  clientSecret?: string | undefined
  mapping?: Partial<Mapping> | undefined
  state?: ConnectionState | undefined
  discardsDraft?: boolean | undefined
}

/**
 * Changes a connection. A changed configuration needs a successful test before it signs users in: for an active
 * connection it is a draft until the next `state: 'active'`, and the tested one remains in use.
 */
export async function updateConnection(
  scope: Scope,
  manager: SsoManager,
  input: ConnectionChanges,
): Promise<Connection> {
  const [seen] = await store.connectionQuery(scope.db, manager.organizationId, input.connectionId)
  if (!seen) throw errors.SSO_CONNECTION_NOT_FOUND()
  const changes: Partial<Connection> = { updatedAt: laterThan(seen.updatedAt, scope.now()) }
  if (input.name !== undefined) changes.name = input.name
  if (input.mapping !== undefined) changes.mapping = checkedMapping(scope, { ...seen.mapping, ...input.mapping })
  let draft = seen.draftConfig ? { config: seen.draftConfig, secret: seen.draftSecret } : null
  if (input.discardsDraft && draft) {
    draft = null
    changes.lastTest = null
  }
  if (input.config !== undefined || input.clientSecret !== undefined) {
    const before = draft ? { ...seen, ...draft } : seen
    const config = input.config ?? before.config
    if (config.type !== seen.type) throw errors.CONNECTION_TYPE_CANNOT_CHANGE()
    draft = await withSecrets(scope, config, input.clientSecret, before)
    changes.lastTest = null
  }
  const state = input.state ?? seen.state
  const lastTest = changes.lastTest === undefined ? seen.lastTest : changes.lastTest
  const activates = state === 'active' && (seen.state !== 'active' || (input.state === 'active' && draft !== null))
  if (activates && lastTest?.error !== null) throw errors.CONNECTION_IS_NOT_TESTED()
  changes.state = state
  const remainsDraft = draft !== null && state === 'active' && !activates
  if (draft && !remainsDraft) Object.assign(changes, draft)
  changes.draftConfig = remainsDraft ? draft!.config : null
  changes.draftSecret = remainsDraft ? draft!.secret : null
  const next = { ...seen, ...changes }
  if (changes.config) {
    changes.refreshAt = refreshAtOf(scope, next)
    changes.noticeAt = noticeAtOf(scope.now(), next)
  }
  const work = workOf(scope, manager)
  const updated = work
    .run(store.updateConnection(scope.db, seen, changes), { unlessUnchanged: { except: ['refreshAt', 'noticeAt'] } })
    .orFail(() => new Overtaken())
  if (seen.state === 'active' && state !== 'active') endSessionsOf(scope, work, seen.id)
  if (seen.state !== state) endForbidden(scope, work, seen.organizationId)
  if (activates && manager.kind === 'setup-link') {
    await notifyOwners(scope, work, manager, 'connection-activated', changes.name ?? seen.name)
  }
  work.audit({ ...connectionSubject(seen), ...changedValues(auditedValues(seen), auditedValues(next)) })
  await work.commit()
  return updated.row
}

/** `updatedAt` is the version of the row. */
export const laterThan = (seen: Date, now: Date): Date => (now > seen ? now : new Date(seen.getTime() + 1))

/** Deletes a connection and ends its sessions. Its users keep their accounts. */
export async function deleteConnection(
  scope: Scope,
  manager: SsoManager,
  { connectionId }: { connectionId: string },
): Promise<void> {
  const [seen] = await store.connectionQuery(scope.db, manager.organizationId, connectionId)
  if (!seen) throw errors.SSO_CONNECTION_NOT_FOUND()
  const work = workOf(scope, manager)
  endSessionsOf(scope, work, seen.id)
  work.run(store.deleteIdentities(scope.db, seen))
  work.run(store.deleteConnection(scope.db, seen)).orFail(errors.SSO_CONNECTION_NOT_FOUND)
  endForbidden(scope, work, seen.organizationId)
  work.audit({ ...connectionSubject(seen), before: auditedValues(seen) })
  await work.commit()
}
