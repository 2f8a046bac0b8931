import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const signInMethodsContract = {
  listSignInMethods: endpoint({
    method: 'GET',
    path: '/list-sign-in-methods',
    summary: 'How the caller has signed in, and when each way was last used',
    access: 'session',
    answer: z.array(z.object({ method: z.string(), lastUsedAt: z.date() })),
    errors: [],
    budget: { d1: 1 },
    changes: [],
  }),
}
