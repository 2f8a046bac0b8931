import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { countNames } from './insights.table.ts'

export const ranges = ['7', '30', '90'] as const
const maxDays = 90
/** Methods of a sign-in, and providers, whose number the configuration limits. */
const maxSeries = 500

export const insightsContract = {
  getInsights: get('/admin/insights', {
    summary: 'Returns daily numbers of sign-ups, sign-ins, failed sign-ins, active users and undelivered mails',
    access: { admin: { user: ['list'] } },
    input: { query: z.object({ days: z.enum(ranges).default('30') }) },
    answer: z.object({
      /** The first and the last day (UTC), such as 2026-05-04. */
      from: z.string(),
      to: z.string(),
      /** The public origin, if it was taken from the first visitor because BASE_URL is not set; otherwise null. */
      takenBaseUrl: z.string().nullable(),
      /** Everything up to this time is counted; null before the first run of the cron trigger. */
      countedAt: z.date().nullable(),
      series: z
        .array(
          z.object({
            name: z.enum(countNames),
            /**
             * Of a sign-in: its method. Of a sign-up: `guest` for guests. Of active users: `day`, `week` or `month`, the
             * period that ends with the day.
             */
            label: z.string(),
            /** One number for each day; null if it was not counted. */
            counts: z.array(z.number().nullable()).max(maxDays),
          }),
        )
        .max(maxSeries),
    }),
    errors: [core.UNAUTHORIZED, httpErrors.FORBIDDEN],
    budget: { d1: 1, read: 25000 },
    changes: [],
  }),
}
