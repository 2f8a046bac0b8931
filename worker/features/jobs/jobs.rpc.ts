import { validate } from '../../http/body.ts'
import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { type RedeliverInput, redeliverInput, undeliveredQuery } from './jobs.contract.ts'
import { listUndelivered, redeliver, type Undelivered } from './undelivered.ts'

export class JobOperations extends Operations {
  /**
   * Lists failed jobs (mails, webhooks, billing events and others) that wait for a retry or were given up, newest
   * first.
   */
  undelivered(input: { kind?: string; limit?: number; cursor?: string } = {}): Promise<RpcAnswer<Undelivered>> {
    return this[run]((scope) => listUndelivered(scope, validate(undeliveredQuery, input, 'query')))
  }

  /** Retries one job immediately, or schedules all jobs of a kind for a retry. */
  redeliver(input: RedeliverInput): Promise<RpcAnswer<{ delivered: boolean; revived: number }>> {
    return this[run]((scope) => redeliver(scope, validate(redeliverInput, input, 'body')))
  }
}
