import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { findOwners } from '../../organization/model/membership.store.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import type { SsoManager } from './managers.ts'
import {
  type SingleSignOnChange,
  type SingleSignOnWarning,
  singleSignOnMail,
  singleSignOnWarningMail,
} from './notify-owners.mails.ts'

/** Notifies the owners of an organization by jobs of the same batch. @param subject the name of what has changed */
export async function notifyOwners(
  scope: Scope,
  work: Work,
  { organizationId }: SsoManager,
  change: SingleSignOnChange,
  subject = '',
): Promise<void> {
  const owners = await findOwners(scope.db, organizationId, organizationOptions.of(scope).creatorRole)
  for (const { organization, ...owner } of owners) {
    work.defer('mail', await singleSignOnMail(scope, organization, owner, change, subject))
  }
}

/** Warns the owners of an organization by jobs of the same batch. @param facts a name, and when it ends */
export async function warnOwners(
  scope: Scope,
  work: Work,
  organizationId: string,
  kind: SingleSignOnWarning,
  facts: { subject: string; at: Date },
): Promise<void> {
  const owners = await findOwners(scope.db, organizationId, organizationOptions.of(scope).creatorRole)
  for (const { organization, ...owner } of owners) {
    work.defer('mail', await singleSignOnWarningMail(scope, organization, owner, kind, facts))
  }
}
