import type { AnyEnv } from '../env.ts'

/** `to` is a number in E.164 form. */
export interface TextMessage {
  to: string
  text: string
}

/** One that is made only when its number's budget allows one, since its code ends an earlier one's. Null: nobody gets any. */
export interface UnmadeText extends Pick<TextMessage, 'to'> {
  make(): Promise<TextMessage | null>
}

/** Sends one text message. Rejects with an Error whose message says what to do next. */
export type SendText = (message: TextMessage) => Promise<void>

/** A transport by configuration. It has taken the message over when its promise resolves. */
export type OwnTextTransport = (message: TextMessage, env: AnyEnv) => Promise<void>

export interface TextOptions {
  /** `mailbox`: the local mailbox, for development. `twilio`: Twilio's Messages API. Or a function of your own. */
  transport: 'mailbox' | 'twilio' | OwnTextTransport
}
