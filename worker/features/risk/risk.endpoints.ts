import { answerCsv, type CsvColumns } from '../../http/csv-response.ts'
import { type Endpoint, isSentByVisitor } from '../../http/endpoint.ts'
import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { riskErrors } from './risk.errors.ts'
import { threatsContract } from './threats/threats.contract.ts'
import type { Attack } from './threats/threats.store.ts'
import * as threats from './threats/threats.ts'

const paths = ['/sign-in/email', '/sign-in/username', '/sign-in/phone-number']

const done = { status: true } as const

/** Later versions add columns at the end. */
const attackColumns: CsvColumns<Attack> = {
  started_at: ({ startedAt }) => startedAt,
  until: ({ until }) => until,
  kind: ({ kind }) => kind,
  network: ({ network }) => network,
  asn: ({ asn }) => asn,
  country: ({ country }) => country,
  id: ({ id }) => id,
}

export const riskEndpoints = defineEndpoints({
  routes: routes(threatsContract, {
    getThreats: reading(
      ({ scope }) => threats.threatReads(scope),
      ({ scope }, rows) => threats.presentThreats(scope, rows),
    ),
    raiseLevel: async ({ scope, caller, body }) => {
      await threats.raiseLevel(scope, caller, body.duration)
      return done
    },
    blockNetwork: async ({ scope, caller, body }) => {
      await threats.blockNetwork(scope, caller, body)
      return done
    },
    unblockNetwork: async ({ scope, body }) => {
      await threats.unblockNetwork(scope, body.id)
      return done
    },
    endNetworkSessions: async ({ scope, caller, body }) => {
      await threats.endNetworkSessions(scope, caller, body.network)
      return done
    },
    exportAttacks: ({ scope }) =>
      answerCsv(scope, 'attacks', attackColumns, threats.attackPages(scope), () => threats.noteAttackExport(scope)),
  }),
  errorsAt: (endpoint: Endpoint) => [
    ...(paths.includes(endpoint.path) ? [riskErrors.SIGN_IN_REFUSED] : []),
    ...(isSentByVisitor(endpoint) ? [riskErrors.NETWORK_BLOCKED] : []),
  ],
})
