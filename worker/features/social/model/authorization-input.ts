import * as z from 'zod'
import { boundedRecord } from '../../../kit/bounded-record.ts'
import { seconds } from '../../../kit/time.ts'

/** The shared input of endpoints that start an authorization. */

export const scopesInput = z.array(z.string().min(1).max(256)).max(50)

export const startedAuthorization = z.object({ url: z.string(), redirect: z.boolean() })

/** Requests per address and path. */
export const startLimit = { max: 3, window: seconds(10) }

/** The parameters that a provider sends. The callback validates them and answers every error with a redirect. */
export const callbackQuery = boundedRecord(z.string().max(256), z.unknown(), 100)
