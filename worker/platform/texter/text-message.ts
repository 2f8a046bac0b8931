/** Sends one text message; `to` is a number in E.164 form. Rejects with an Error whose message says what to do next. */
export type SendText = (message: { to: string; text: string }) => Promise<void>
