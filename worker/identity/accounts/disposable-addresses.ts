import type { Scope } from '../scope.ts'
import { userOptions } from '../users/users.config.ts'
import { coreErrors } from '../users/users.errors.ts'

/**
 * Refuses an address that a user has of a service for disposable mailboxes, or logs its domain. The list is a module
 * that loads with the first address that is checked; a search in its text takes less than a millisecond.
 * @throws DISPOSABLE_EMAIL
 */
export async function refuseDisposable(scope: Scope, email: string): Promise<void> {
  const { action, also, except } = userOptions.of(scope).disposableAddresses
  if (action === 'off') return
  const domains = domainsOf(email)
  if (domains.some((domain) => except.includes(domain))) return
  const domain = domains.find((each) => also.includes(each)) ?? (await listed(domains))
  if (domain === undefined) return
  if (action === 'refuse') throw coreErrors.DISPOSABLE_EMAIL()
  scope.log('warn', 'disposable-address', { domain })
}

/** The listed domains have four labels at most. */
const maxLabels = 4

/** The domain of an address and those above it, without the top-level domain; options may list longer names than the list. */
function domainsOf(email: string): string[] {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}

async function listed(domains: readonly string[]): Promise<string | undefined> {
  const { disposableDomains } = await import('./disposable-domains.generated.ts')
  return domains.slice(-(maxLabels - 1)).find((domain) => disposableDomains.includes(` ${domain} `))
}
