import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { faultIn } from '../../../kit/errors.ts'
import { newId, randomString } from '../../../kit/random.ts'
import { after, days } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { readDomain } from '../model/domain-names.ts'
import type { OrganizationDomain } from '../model/domains.table.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { type SsoManager, workOf } from '../model/managers.ts'
import * as store from '../model/model.store.ts'
import type { SingleSignOnWarning } from '../model/notify-owners.mails.ts'
import { notifyOwners, warnOwners } from '../model/notify-owners.ts'
import { endForbidden } from '../policy/end-sessions.store.ts'
import { deleteOldClaims, domainsToCheck, recordCheck } from './domains.store.ts'
import { hasTxtRecord, txtRecordOf } from './txt-record.ts'

interface Choice {
  domainId: string
}

export const presentDomain = ({
  token,
  checkedAt: _checkedAt,
  unansweredSince: _unansweredSince,
  ...domain
}: OrganizationDomain) => ({
  ...domain,
  verified: domain.verifiedAt !== null,
  record: txtRecordOf({ domain: domain.domain, token }),
})

/** Claims a domain. The claim blocks no other organization until the domain is verified. */
export async function addDomain(
  scope: Scope,
  manager: SsoManager,
  { domain: given }: { domain: string },
): Promise<OrganizationDomain> {
  const domain = readDomain(given)
  if (domain === null) throw errors.INVALID_DOMAIN()
  const now = scope.now()
  const claim: OrganizationDomain = {
    id: newId(),
    organizationId: manager.organizationId,
    domain,
    token: randomString(32),
    verifiedAt: null,
    checkedAt: now,
    missingSince: null,
    unansweredSince: null,
    connectionId: null,
    createdAt: now,
  }
  const work = workOf(scope, manager)
  work.unique('organization_domains.organization_id', errors.DOMAIN_ALREADY_ADDED)
  work
    .run(store.insertDomain(scope.db, claim, enterpriseOptions.of(scope).maxDomains))
    .orFail(errors.MAXIMUM_NUMBER_OF_DOMAINS_REACHED)
  work.audit({ ...subjectOf(claim), after: { domain } })
  await work.commit()
  return claim
}

const subjectOf = ({ id }: Pick<OrganizationDomain, 'id'>) => ({ subjectType: 'domain', subjectId: id })

async function requireDomain(scope: Scope, { organizationId }: SsoManager, { domainId }: Choice) {
  const [domain] = await store.domainQuery(scope.db, organizationId, domainId)
  if (!domain) throw errors.DOMAIN_NOT_FOUND()
  return domain
}

/** Verifies a domain by its TXT record. The unique index gives it to one organization. */
export async function verifyDomain(scope: Scope, manager: SsoManager, choice: Choice): Promise<OrganizationDomain> {
  const domain = await requireDomain(scope, manager, choice)
  if (!(await hasTxtRecord(scope, domain))) throw errors.DOMAIN_RECORD_NOT_FOUND()
  const now = scope.now()
  const work = workOf(scope, manager)
  work.unique('organization_domains.domain', errors.DOMAIN_BELONGS_TO_ANOTHER_ORGANIZATION)
  const verifiedAt = domain.verifiedAt ?? now
  const updated = work
    .run(
      store.updateDomain(scope.db, domain.id, {
        verifiedAt,
        checkedAt: now,
        missingSince: null,
        unansweredSince: null,
      }),
    )
    .orFail(errors.DOMAIN_NOT_FOUND)
  endForbidden(scope, work, domain.organizationId)
  work.audit({ ...subjectOf(domain), after: { domain: domain.domain, verifiedAt: verifiedAt.toISOString() } })
  if (manager.kind === 'setup-link' && domain.verifiedAt === null) {
    await notifyOwners(scope, work, manager, 'domain-verified', domain.domain)
  }
  await work.commit()
  return updated.row
}

/** Sets the connection of the addresses of a domain. Null: the oldest active connection. */
export async function updateDomain(
  scope: Scope,
  manager: SsoManager,
  { connectionId, ...choice }: Choice & { connectionId: string | null },
): Promise<OrganizationDomain> {
  const domain = await requireDomain(scope, manager, choice)
  const work = workOf(scope, manager)
  if (connectionId !== null) {
    work.require(store.connectionExists(domain.organizationId, connectionId), errors.SSO_CONNECTION_NOT_FOUND)
  }
  const updated = work
    .run(store.updateDomain(scope.db, domain.id, { connectionId }), { unlessUnchanged: true })
    .orFail(errors.DOMAIN_NOT_FOUND)
  const before = { domain: domain.domain, connectionId: domain.connectionId }
  work.audit({ ...subjectOf(domain), before, after: { domain: domain.domain, connectionId } })
  await work.commit()
  return updated.row
}

export async function removeDomain(scope: Scope, manager: SsoManager, choice: Choice): Promise<void> {
  const domain = await requireDomain(scope, manager, choice)
  const work = workOf(scope, manager)
  work.run(store.deleteDomain(scope.db, domain.id)).orFail(errors.DOMAIN_NOT_FOUND)
  work.audit({ ...subjectOf(domain), before: { domain: domain.domain, isVerified: domain.verifiedAt !== null } })
  await work.commit()
}

/** Domains of one run of the cron trigger, each with one request. */
const batchSize = 20

/**
 * For the cron trigger: deletes old claims and checks verified domains again. A domain is lost when its record has been
 * missing for the grace period. A missing answer proves nothing: the domain waits for its next check, and delays no other.
 * After `domainUnansweredPeriod` without any answer it is lost too, so that a domain that no longer exists binds no one.
 */
export async function checkDomains(scope: Scope): Promise<void> {
  const { claimExpiresIn, checkDomainsEvery, domainGracePeriod, domainUnansweredPeriod } = enterpriseOptions.of(scope)
  const now = scope.now()
  await deleteOldClaims(scope.db, after(now, -claimExpiresIn))
  const due = await domainsToCheck(scope.db, after(now, -checkDomainsEvery), batchSize)
  for (const domain of due) {
    let isThere: boolean | null
    try {
      isThere = await hasTxtRecord(scope, domain)
    } catch (thrown) {
      if (!faultIn(thrown)) throw thrown
      scope.log('warn', 'domain-check-failed', { domain: domain.domain, reason: reasonOf(thrown) })
      isThere = null
    }
    const missingSince = isThere === null ? domain.missingSince : isThere ? null : (domain.missingSince ?? now)
    const unansweredSince = isThere === null ? (domain.unansweredSince ?? now) : null
    const isOver = (since: Date | null, period: number) => since !== null && since <= after(now, -period)
    const isLost =
      (isThere === false && isOver(missingSince, domainGracePeriod)) || isOver(unansweredSince, domainUnansweredPeriod)
    const changes = isLost
      ? { verifiedAt: null, missingSince: null, unansweredSince: null, checkedAt: now, createdAt: now }
      : { missingSince, unansweredSince, checkedAt: now }
    const work = unitOfWork(scope)
    const checked = work.run(recordCheck(scope.db, domain, changes))
    if (isLost) {
      work.audit({
        ...{ action: 'sso.domain-lost', actor: { type: 'system', id: null }, organizationId: domain.organizationId },
        ...{ ...subjectOf(domain), before: { domain: domain.domain } },
      })
    }
    const warning = warningOf(scope, domain, { isLost, missingSince, unansweredSince })
    if (warning) {
      checked.orFail()
      await warnOwners(scope, work, domain.organizationId, warning.kind, { subject: domain.domain, at: warning.at })
    }
    await work.commit()
    if (isLost) scope.log('warn', 'domain-lost', { domain: domain.domain })
  }
}

/** Owners are warned after so long (s) without an answer. */
const quietTime = days(7)

/** What the owners of a domain must know after a check: each warning once. */
function warningOf(
  scope: Scope,
  before: OrganizationDomain,
  {
    isLost,
    missingSince,
    unansweredSince,
  }: { isLost: boolean; missingSince: Date | null; unansweredSince: Date | null },
): { kind: SingleSignOnWarning; at: Date } | null {
  const { domainGracePeriod, domainUnansweredPeriod } = enterpriseOptions.of(scope)
  const now = scope.now()
  if (isLost) return { kind: 'domain-lost', at: now }
  if (missingSince && before.missingSince === null) {
    return { kind: 'record-missing', at: after(missingSince, domainGracePeriod) }
  }
  if (!unansweredSince) return null
  const warnedAt = after(unansweredSince, quietTime)
  const isDue = warnedAt <= now && before.checkedAt < warnedAt
  return isDue ? { kind: 'record-unanswered', at: after(unansweredSince, domainUnansweredPeriod) } : null
}
