import * as z from 'zod'

/** Public keys (RFC 7517). */
export const checkpointKeySet = z
  .array(
    z.object({
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      alg: z.string(),
      use: z.string(),
      kid: z.string(),
    }),
  )
  .max(100)

export const checkpointPaging = {
  limit: z.coerce.number<number | string>().int().min(1).max(200).default(50),
  /** The `nextCursor` of the previous page. */
  cursor: z.string().max(512).optional(),
}

export const checkpointList = z.object({
  /** The keys of checkpoints. A checkpoint from before a rotation of the secret has an earlier one in its header. */
  keys: checkpointKeySet,
  /** The present state of the chain as a compact JWS, signed for this answer; null before the first record is sealed. */
  current: z.string().nullable(),
  /** The stored ones, each a compact JWS. */
  checkpoints: z.array(z.object({ createdAt: z.date(), token: z.string() })).max(200),
  nextCursor: z.string().nullable(),
})
