import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { insightsContract } from './insights.contract.ts'
import { insightReads, presentInsights } from './insights.ts'
import { presentThreatCounts, threatCountReads } from './threat-counts.ts'

export const insightsEndpoints = defineEndpoints({
  routes: routes(insightsContract, {
    getInsights: reading(
      ({ scope, query }) => insightReads(scope, Number(query.days)),
      ({ scope, query }, rows) => presentInsights(scope, Number(query.days), rows),
    ),
    getThreatCounts: reading(
      ({ scope, query }) => threatCountReads(scope, query.period),
      ({ scope, query }, rows) => presentThreatCounts(scope, query.period, rows),
    ),
  }),
})
