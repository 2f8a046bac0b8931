import type { AuditValues } from '../../../identity/model/audit-context.ts'
import { sha256Hex } from '../../../kit/hash.ts'
import type { ConnectionConfig } from '../model/connection-config.ts'
import type { Connection } from '../model/connections.table.ts'

export const connectionSubject = ({ id }: Pick<Connection, 'id'>) => ({ subjectType: 'connection', subjectId: id })

/** A configuration with hashes of its certificates and without the public key. The secret is not part of it. */
function auditedConfig(config: ConnectionConfig): AuditValues {
  const {
    publicKey: _publicKey,
    certificatesExpireAt: _expireAt,
    ...values
  } = config as ConnectionConfig & {
    publicKey?: unknown
    certificatesExpireAt?: unknown
  }
  if (values.type !== 'saml') return values
  return { ...values, certificates: values.certificates.map((certificate) => sha256Hex(certificate)) }
}

/** What the audit log says about a connection. */
export const auditedValues = ({ name, state, config, draftConfig, mapping }: Connection): AuditValues => ({
  ...{ name, state, mapping },
  config: auditedConfig(config),
  ...(draftConfig && { draft: auditedConfig(draftConfig) }),
})

/** The values of both sides that differ. */
export function changedValues(before: AuditValues, after: AuditValues): { before: AuditValues; after: AuditValues } {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (values: AuditValues) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
