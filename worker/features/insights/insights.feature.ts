import { defineFeature } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { countDays } from './count-days.ts'
import { insightsContract } from './insights.contract.ts'
import { insightReads, presentInsights } from './insights.ts'

/** Daily numbers of the whole deployment, for the overview of the console. */
export const insights = defineFeature({
  name: 'insights',
  routes: routes(insightsContract, {
    getInsights: reading(
      ({ scope, query }) => insightReads(scope, Number(query.days)),
      ({ scope, query }, rows) => presentInsights(scope, Number(query.days), rows),
    ),
  }),
  scheduled: countDays,
})
