import { defineParts } from '../../http/feature.ts'
import { countDays } from './count-days.ts'

export const insightsParts = defineParts({
  cron: { scheduled: countDays },
})
