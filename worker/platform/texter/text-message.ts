/** `to` is a number in E.164 form. */
export interface TextMessage {
  to: string
  text: string
}

/** Sends one text message. Rejects with an Error whose message says what to do next. */
export type SendText = (message: TextMessage) => Promise<void>
