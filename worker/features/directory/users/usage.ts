import { notifyAdministrators } from '../../../identity/notify-administrators.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { directoryOptions } from '../directory.config.ts'
import { scimError } from '../protocol/scim.errors.ts'
import type { Data } from '../protocol/values.ts'
import { nearlyFullMail } from './nearly-full.mails.ts'
import * as store from './usage.store.ts'

/** Users, and groups, of an organization without a verified domain: enough for a test of the connection. */
export const unverifiedEntries = 10

export const bytesOf = (data: Data): number => new TextEncoder().encode(JSON.stringify(data)).length

/** The bytes for which an entry counts. */
export const sizeOf = (data: Data): number => bytesOf(data) + store.rowBytes

/** After the write of an entry or a group. @throws 403 beyond a few entries without a verified domain */
export function requireDomain(work: Work, { organizationId }: Connection): void {
  work.require(store.mayHaveEntries(organizationId, unverifiedEntries), () =>
    scimError(
      'SCIM_FORBIDDEN',
      `Without a verified domain, a directory has at most ${unverifiedEntries} users and groups`,
    ),
  )
}

/** Counts the bytes of a write. @param bytes negative if they become fewer @throws 403 beyond a limit */
export function addUsage(scope: Scope, work: Work, { id, organizationId }: Connection, bytes: number): void {
  if (bytes === 0) return
  const { maxBytes, maxTotalBytes } = directoryOptions.of(scope)
  work.run(store.addBytes(scope.db, id, bytes))
  if (bytes < 0) return
  work.require(store.fitsOrganization(organizationId, maxBytes), () =>
    scimError('SCIM_LIMIT_REACHED', 'The directories of the organization have reached their maximum size'),
  )
  work.require(store.fitsDeployment(maxTotalBytes), () => {
    scope.log('error', 'directory-full', { organization: organizationId, maxTotalBytes })
    return scimError('SCIM_LIMIT_REACHED', 'The directories of this deployment have reached their maximum size')
  })
}

/** For the cron trigger: an alarm before the directories of the deployment are full, with a mail to administrators once a day. */
export async function watchUsage(scope: Scope): Promise<void> {
  const { maxTotalBytes } = directoryOptions.of(scope)
  const bytes = await store.readTotal(scope.db)
  if (bytes <= maxTotalBytes * 0.8) return
  scope.log('error', 'directory-nearly-full', { bytes, maxTotalBytes })
  const percent = Math.floor((100 * bytes) / maxTotalBytes)
  const work = unitOfWork(scope)
  // Sends a mail.
  work.audit(null)
  await notifyAdministrators(scope, work, 'directory-nearly-full', (one) => nearlyFullMail(scope, one, percent))
  await work.commit()
}
