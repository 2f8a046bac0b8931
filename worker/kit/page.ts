import * as z from 'zod'

/** The maximum and the default number of entries of a page. */
export const pageSize = 500

/** The entries of a list: `limit` entries after the first `offset`. */
export interface Page {
  limit: number
  offset: number
}

export const firstPage: Page = { limit: pageSize, offset: 0 }

/** The query of an endpoint that returns a list. */
export const pageQuery = {
  limit: z.coerce.number<number | string>().int().min(1).max(pageSize).optional(),
  offset: z.coerce.number<number | string>().int().min(0).max(1_000_000).optional(),
}

export const pageOf = ({
  limit = pageSize,
  offset = 0,
}: {
  limit?: number | undefined
  offset?: number | undefined
}): Page => ({
  limit,
  offset,
})

/** A list in a response. Its `max` is part of the contract, and tests check every response against it. */
export const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).max(pageSize)
