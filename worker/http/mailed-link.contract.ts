import * as z from 'zod'
import { urlInput } from '../identity/users/users.contract.ts'
import { type Audited, type Endpoint, get } from './endpoint.ts'

/** The query of every mailed link that its opening uses. */
export const linkQuery = (maxToken: number) =>
  z.object({
    token: z.string().max(maxToken),
    callbackURL: urlInput.optional(),
    /** Confirmed by the cookie of the browser that requested the link. */
    browser: z.string().max(64).optional(),
  })

export type LinkEndpoint = Endpoint & { input: { query: ReturnType<typeof linkQuery> } }

/** Declares the endpoint of a mailed link: GET, and POST for the button of its page. */
export const getLink = <
  const P extends Endpoint['path'],
  const E extends Omit<LinkEndpoint, 'method' | 'path' | 'changes' | 'audit'> & Audited,
>(
  path: P,
  endpoint: E,
) => get(path, { ...endpoint, orElse: ['redirect', 'page'], mailedLink: true } as const)
