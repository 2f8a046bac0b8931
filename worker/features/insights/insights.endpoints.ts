import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { insightsContract } from './insights.contract.ts'
import { insightReads, presentInsights } from './insights.ts'

export const insightsEndpoints = defineEndpoints({
  routes: routes(insightsContract, {
    getInsights: reading(
      ({ scope, query }) => insightReads(scope, Number(query.days)),
      ({ scope, query }, rows) => presentInsights(scope, Number(query.days), rows),
    ),
  }),
})
