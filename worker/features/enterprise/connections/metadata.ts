import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { Fault, faultIn } from '../../../kit/errors.ts'
import { isClientAddress } from '../../../kit/public-address.ts'
import { after, days, hours } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { readText } from '../../../platform/outside.ts'
import type { SamlConfig } from '../model/connection-config.ts'
import type { Connection } from '../model/connections.table.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { readCertificates } from '../saml/certificates.ts'
import { type IdpMetadata, MetadataError, maxMetadataLength, readMetadata } from '../saml/read-metadata.ts'
import { auditedValues, changedValues, connectionSubject } from './audited-connection.ts'
import { connectionsToRefresh, recordRefresh } from './connections.store.ts'
import { noticeAtOf } from './notice-times.ts'

/** Metadata as text, or the URL at which it is. */
export interface MetadataSource {
  metadata?: string | undefined
  url?: string | undefined
}

/**
 * What a connection needs of the metadata of an identity provider.
 * @throws INVALID_METADATA_URL, INVALID_METADATA with the reason as its detail; Fault while the URL is unavailable
 */
export async function importMetadata(scope: Scope, { metadata, url }: MetadataSource) {
  try {
    const found = url === undefined ? await readMetadata(metadata ?? '', scope.now()) : await fetchMetadata(scope, url)
    const { certificates, expireAt } = checked(scope, found)
    return { ...found, certificates, certificatesExpireAt: expireAt, metadataUrl: url ?? null }
  } catch (thrown) {
    if (thrown instanceof MetadataError) throw errors.INVALID_METADATA({ detail: thrown.message })
    throw thrown
  }
}

/** The URLs and certificates of metadata are those that an owner could enter. @throws MetadataError */
function checked(scope: Scope, { ssoUrl, sloUrl, certificates }: IdpMetadata) {
  for (const address of [ssoUrl, sloUrl]) {
    if (address !== null && !isClientAddress(address, scope.settings))
      throw new MetadataError(`${address} is not public`)
  }
  const read = readCertificates(certificates)
  if (!read) throw new MetadataError('a signing certificate is invalid, or its key is weak')
  return read
}

async function fetchMetadata(scope: Scope, url: string): Promise<IdpMetadata> {
  if (!isClientAddress(url, scope.settings)) throw errors.INVALID_METADATA_URL()
  const response = await scope.outside(url, { headers: { accept: 'application/samlmetadata+xml, application/xml' } })
  if (response.status >= 500) throw new Fault(new URL(url).host, new Error(`status ${response.status}`))
  if (!response.ok) throw new MetadataError(`the URL responds with status ${response.status}`)
  const text = await readText(response, 2 * maxMetadataLength).catch((thrown) => {
    throw new Fault(new URL(url).host, thrown)
  })
  if (text === null) throw new MetadataError('the document is too long')
  return readMetadata(text, scope.now())
}

/** The time of the next refresh of a new or changed configuration; null without a URL of metadata. */
export const refreshAtOf = (scope: Scope, { config }: Pick<Connection, 'config'>): Date | null =>
  config.type === 'saml' && config.metadataUrl ? after(scope.now(), days(1)) : null

const batchSize = 10

/**
 * For the cron trigger: reads the metadata of connections again. Addresses and certificates follow it, so that a rollover
 * needs no owner. Metadata of another entity changes nothing.
 */
export async function refreshMetadata(scope: Scope): Promise<void> {
  const now = scope.now()
  for (const connection of await connectionsToRefresh(scope.db, now, batchSize)) {
    const work = unitOfWork(scope)
    const changes = await refreshed(scope, connection)
    work.run(recordRefresh(scope.db, connection, changes))
    const values = changedValues(auditedValues(connection), auditedValues({ ...connection, ...changes }))
    if (Object.keys(values.after).length > 0) {
      work.audit({
        ...{ action: 'sso.refresh-metadata', actor: { type: 'system', id: null, via: connection.id } },
        ...{ organizationId: connection.organizationId, ...connectionSubject(connection), ...values },
      })
    }
    await work.commit()
  }
}

async function refreshed(scope: Scope, connection: Connection): Promise<Partial<Connection>> {
  const now = scope.now()
  const config = connection.config as SamlConfig
  try {
    const found = await fetchMetadata(scope, config.metadataUrl!)
    if (found.entityId !== config.entityId) throw new MetadataError('the metadata is that of another entity')
    const { certificates, expireAt } = checked(scope, found)
    const { ssoUrl, sloUrl } = found
    const fresh = { ...config, ssoUrl, sloUrl, certificates, certificatesExpireAt: expireAt }
    const refreshAt = after(now, days(1))
    if (JSON.stringify(fresh) === JSON.stringify(config)) return { refreshAt }
    scope.log('info', 'connection-metadata-changed', { connection: connection.id })
    const noticeAt = noticeAtOf(now, { ...connection, config: fresh })
    return { config: fresh, refreshAt, noticeAt, updatedAt: now > connection.updatedAt ? now : connection.updatedAt }
  } catch (thrown) {
    const isInvalid = thrown instanceof MetadataError || (thrown as { code?: string }).code === 'INVALID_METADATA_URL'
    if (!isInvalid && !faultIn(thrown)) throw thrown
    scope.log('warn', 'connection-metadata-failed', { connection: connection.id, reason: reasonOf(thrown) })
    return { refreshAt: after(now, isInvalid ? days(1) : hours(1)) }
  }
}
