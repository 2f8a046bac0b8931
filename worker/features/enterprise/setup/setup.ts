import type { PartyCheck } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { hasKeyForm, newKey } from '../../../kit/key-form.ts'
import { after } from '../../../kit/time.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { type SsoManager, workOf } from '../model/managers.ts'
import { notifyOwners } from '../model/notify-owners.ts'
import type { SetupLink } from '../model/setup-links.table.ts'
import * as store from './setup.store.ts'

const prefix = 'setup_'
const length = 38

/** Creates the set-up link of an organization; an earlier link stops working. @returns its URL, which is not stored */
export async function createSetupLink(scope: Scope, manager: SsoManager): Promise<{ url: string; expiresAt: Date }> {
  const token = newKey(prefix, length)
  const now = scope.now()
  const expiresAt = after(now, enterpriseOptions.of(scope).setupLinkExpiresIn)
  const link: SetupLink = {
    organizationId: manager.organizationId,
    tokenHash: sha256(token),
    createdBy: manager.userId,
    createdAt: now,
    expiresAt,
    lastUsedAt: null,
    requests: 0,
  }
  const work = workOf(scope, manager)
  work.run(store.writeSetupLink(scope.db, link))
  await notifyOwners(scope, work, manager, 'setup-link-created')
  await work.commit()
  // The fragment of a URL reaches no server and no log.
  return { url: `${scope.settings.baseUrl}/sso-setup#${token}`, expiresAt }
}

export async function revokeSetupLink(scope: Scope, manager: SsoManager): Promise<void> {
  const work = workOf(scope, manager)
  work.run(store.deleteSetupLink(scope.db, manager.organizationId)).orFail(errors.SETUP_LINK_NOT_FOUND)
  await work.commit()
}

/** The link in the settings. */
export const presentSetupLink = (link: SetupLink | undefined, now: Date) =>
  link && link.expiresAt > now
    ? { createdAt: link.createdAt, expiresAt: link.expiresAt, lastUsedAt: link.lastUsedAt }
    : null

/**
 * The holder of a set-up link as a manager of its organization: the party of the access `setup-link`. Each request counts.
 * @throws SETUP_LINK_NOT_FOUND, SETUP_LINK_USED_UP
 */
export const checkSetupLink: PartyCheck = async (scope, { body }): Promise<SsoManager> => {
  const { token } = body as { token: string }
  // A text without the checksum is rejected without a read.
  if (!token.startsWith(prefix) || !hasKeyForm(token)) throw errors.SETUP_LINK_NOT_FOUND()
  const tokenHash = sha256(token)
  const now = scope.now()
  const [used] = await store.useSetupLink(scope.db, tokenHash, now, enterpriseOptions.of(scope).setupLinkRequests)
  if (!used) {
    const [found] = await store.findSetupLink(scope.db, tokenHash, now)
    throw found ? errors.SETUP_LINK_USED_UP() : errors.SETUP_LINK_NOT_FOUND()
  }
  // The link was created by a member, which has its own record; its holder has no account.
  scope.auditing.actor = { type: 'visitor', id: null, via: 'setup-link' }
  scope.auditing.organizationId = used.organizationId
  return {
    kind: 'setup-link',
    organizationId: used.organizationId,
    userId: null,
    condition: store.linkIsValid(tokenHash, now),
    lost: errors.SETUP_LINK_NOT_FOUND,
  }
}
