import type { z } from 'zod'
import type { accountsContract } from './features/accounts/accounts.contract.ts'
import type { apiReferenceContract } from './features/api-reference/api-reference.contract.ts'
import type { emailPasswordContract } from './features/email-password/email-password.contract.ts'
import type { emailVerificationContract } from './features/email-verification/email-verification.contract.ts'
import type { profileContract } from './features/profile/profile.contract.ts'
import type { sessionContract } from './features/session/session.contract.ts'
import type { statusContract } from './features/status/status.contract.ts'
import type { Endpoint } from './http/endpoint.ts'

/** Every room's contract: all that the client may see, as types. One line per room. */
type Contracts = typeof accountsContract &
  typeof apiReferenceContract &
  typeof emailPasswordContract &
  typeof emailVerificationContract &
  typeof profileContract &
  typeof sessionContract &
  typeof statusContract

type Input<T> = T extends z.ZodType ? z.input<T> : undefined

interface Exchange<E extends Endpoint> {
  method: E['method']
  body: Input<E['body']>
  query: Input<E['query']>
  answer: E['answer'] extends z.ZodType ? z.output<E['answer']> : never
}

/** The API by path: method, body, query and answer of every endpoint. */
export type Endpoints = {
  [K in keyof Contracts as Contracts[K]['path']]: Exchange<Contracts[K]>
}
