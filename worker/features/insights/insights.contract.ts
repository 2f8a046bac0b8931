import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { countNames, threatNames } from './insights.table.ts'

export const ranges = ['7', '30', '90'] as const
export const threatPeriods = ['hours', 'days'] as const
/** Our own reasons, and those of a product. */
export const maxReasons = 100
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
  getThreatCounts: get('/admin/threat-counts', {
    summary: 'Returns failed, challenged and refused sign-ins by time, and what each reason of an assessment leads to',
    access: { admin: { session: ['list'] } },
    input: { query: z.object({ period: z.enum(threatPeriods).default('hours') }) },
    answer: z.object({
      /** The begin of the first hour or day (UTC). */
      from: z.date(),
      /** Everything up to this time is counted; null before the first run of the cron trigger. */
      countedAt: z.date().nullable(),
      /** One number for each of 48 hours or 30 days. `sign-in-failed`: wrong passwords and codes for existing accounts. */
      series: z
        .array(z.object({ name: z.enum(threatNames), counts: z.array(z.number()).max(48) }))
        .max(threatNames.length),
      /** The sign-ins of the period with a reason, the most challenged reason first. Their days are whole. */
      reasons: z
        .array(
          z.object({
            reason: z.string(),
            challenged: z.number(),
            /** The code was entered. */
            answered: z.number(),
            noticed: z.number(),
            refused: z.number(),
          }),
        )
        .max(maxReasons),
    }),
    errors: [core.UNAUTHORIZED, httpErrors.FORBIDDEN],
    budget: { d1: 1, read: 25000 },
    changes: [],
  }),
}
