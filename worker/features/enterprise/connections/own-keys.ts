import type { Scope } from '../../../identity/scope.ts'
import { seal } from '../../../kit/encrypt.ts'
import type { Connection, OwnCertificate } from '../model/connections.table.ts'

export interface KeyPair extends OwnCertificate {
  /** PKCS #8, in PEM. */
  privateKey: string
}

/** The columns of key pairs. */
export const keyColumns = async (
  scope: Scope,
  pairs: readonly KeyPair[],
): Promise<Pick<Connection, 'ownKeys' | 'ownCertificates'>> => ({
  ownKeys: await seal(scope.settings.secrets, JSON.stringify(pairs.map(({ privateKey }) => privateKey))),
  ownCertificates: pairs.map(({ certificate, expiresAt }) => ({ certificate, expiresAt })),
})
