import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { listUndeliveredEvents, redeliverEvent, type UndeliveredEvent } from './undelivered.ts'

export class WebhookOperations extends Operations {
  /** Events that a webhook's receiver has not taken: given up, or waiting for another try; newest first. */
  undeliveredEvents(): Promise<RpcAnswer<UndeliveredEvent[]>> {
    return this[run]((scope) => listUndeliveredEvents(scope))
  }

  /** Tries to deliver one of them at once. */
  redeliverEvent(input: { id: string }): Promise<RpcAnswer<{ delivered: boolean }>> {
    return this[run]((scope) => redeliverEvent(scope, String(input.id)))
  }
}
