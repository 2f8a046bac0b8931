import type { AnyEnv, EnvOf } from '../env.ts'

/** `to` is a number in E.164 form. */
export interface TextMessage {
  to: string
  text: string
}

/**
 * A message that is created only within the budget of its number, because its code ends an earlier one. Null: no
 * message is sent.
 */
export interface UnmadeText extends Pick<TextMessage, 'to'> {
  make(): Promise<TextMessage | null>
}

/** Sends one text message. Rejects with an Error whose message names the required change. */
export type SendText = (message: TextMessage) => Promise<void>

/** A configured transport. The transport has accepted the message when its promise resolves. */
export type OwnTextTransport<Own = AnyEnv> = (message: TextMessage, env: EnvOf<Own>) => Promise<void>

export interface TextOptions {
  /** `mailbox`: the local mailbox, for development. `twilio`: Twilio's Messages API. Or your own function. */
  transport: 'mailbox' | 'twilio' | OwnTextTransport
}
