import type { Handlers } from '../../../http/routes.ts'
import { done, managed } from '../model/managed.ts'
import type { ssoDomainsContract } from './domains.contract.ts'
import { addDomain, presentDomain, removeDomain, updateDomain, verifyDomain } from './domains.ts'

export const domainHandlers: Handlers<typeof ssoDomainsContract> = {
  addDomain: managed(async (scope, manager, body) => presentDomain(await addDomain(scope, manager, body))),
  verifyDomain: managed(async (scope, manager, body) => presentDomain(await verifyDomain(scope, manager, body))),
  updateDomain: managed(async (scope, manager, body) => presentDomain(await updateDomain(scope, manager, body))),
  removeDomain: managed(async (scope, manager, body) => {
    await removeDomain(scope, manager, body)
    return done
  }),
}
