import type { Handlers } from '../../../http/routes.ts'
import { asManager, done } from '../model/as-manager.ts'
import type { ssoDomainsContract } from './domains.contract.ts'
import { addDomain, presentDomain, removeDomain, updateDomain, verifyDomain } from './domains.ts'

export const domainHandlers: Handlers<typeof ssoDomainsContract> = {
  addDomain: asManager(async (scope, manager, body) => presentDomain(await addDomain(scope, manager, body))),
  verifyDomain: asManager(async (scope, manager, body) => presentDomain(await verifyDomain(scope, manager, body))),
  updateDomain: asManager(async (scope, manager, body) => presentDomain(await updateDomain(scope, manager, body))),
  removeDomain: asManager(async (scope, manager, body) => {
    await removeDomain(scope, manager, body)
    return done
  }),
}
