import { defineOptions, flag, positive, section } from '../kit/options.ts'

export const databaseOptions = defineOptions('database', () =>
  section({
    /**
     * Whether D1's read replication is on for the database. If it is, a replica near the caller answers
     * get-session and lists of what belongs to the caller.
     */
    readReplication: flag(false),
    /**
     * The maximum size (bytes) of the D1 database on your plan of Cloudflare: 10 GB on the paid plan, `500_000_000` on the free
     * one. From 85 % and from 95 % on, some calls are refused. See [limits and cost](limits-and-cost.md#a-nearly-full-database).
     */
    maximumBytes: positive.default(10_000_000_000),
  }),
)
