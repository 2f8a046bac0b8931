import { after, days } from '../../../kit/time.ts'
import type { Connection } from '../model/connections.table.ts'

/** Owners get a notice so many days before a certificate expires. */
const noticeDays = [30, 7, 1]

/**
 * The certificates of a SAML connection that a sign-in needs: the last one of the identity provider, because the others are
 * those of its rollover, and the one that signs our messages.
 */
export const expiriesOf = ({ config, ownCertificates }: Pick<Connection, 'config' | 'ownCertificates'>) => {
  const theirs = config.type === 'saml' ? config.certificatesExpireAt : undefined
  const ours = ownCertificates[0]?.expiresAt
  return [
    ...(theirs ? [{ whose: 'identity-provider' as const, at: new Date(theirs) }] : []),
    ...(ours ? [{ whose: 'own' as const, at: new Date(ours) }] : []),
  ]
}

/** The time of the next notice after `now`; null for a connection without certificates, or with expired ones. */
export function noticeAtOf(now: Date, connection: Pick<Connection, 'config' | 'ownCertificates'>): Date | null {
  const times = expiriesOf(connection).flatMap(({ at }) => noticeDays.map((count) => after(at, -days(count)).getTime()))
  const next = times.filter((time) => time > now.getTime())
  return next.length === 0 ? null : new Date(Math.min(...next))
}

/** The certificates whose notice is due: one of their notices lies between the stored time and `now`. */
export const dueNotices = (now: Date, connection: Pick<Connection, 'config' | 'ownCertificates' | 'noticeAt'>) =>
  expiriesOf(connection).filter(
    ({ at }) =>
      at > now &&
      noticeDays.some((count) => {
        const time = after(at, -days(count))
        return connection.noticeAt !== null && time >= connection.noticeAt && time <= now
      }),
  )
