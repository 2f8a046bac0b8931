import * as z from 'zod'

/** The maximum number of entries in one answer. */
export const endedPage = 65_536

/** An endpoint from which servers read what ended lately (model/ended-sessions.ts), place by place. */
export const endedList = {
  access: 'visitor',
  origins: { any: true },
  input: {
    query: z.object({
      /** `last` of an earlier answer: entries from a place shortly before it are returned. */
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    }),
  },
  answer: z.object({
    /** Milliseconds since the list was complete. */
    age: z.number(),
    /** The place of the newest entry of this answer. */
    last: z.number(),
    /** Whether there are later entries. */
    more: z.boolean(),
    /** How long (s) a token or a cookie can outlive its session, or a token can be valid. */
    keep: z.number(),
    ended: z.array(z.string()).max(endedPage),
  }),
  errors: [],
  budget: { durable: 1 },
  changes: [],
} as const
