// Apart from sent.ts, which the first load of the sign-in does not contain.

export interface Sent {
  /** The recipient: an email address or a phone number (E.164). */
  to: string
  /** Epoch milliseconds. */
  at: number
  /** The previous history entry is the form of the same screen. */
  asked?: boolean
  /** The sign-up has signed the user in: they can confirm the address later. */
  signedIn?: boolean
}

/** The state of the history entry that a screen with `useSent` is opened with, after something was sent. */
export const justSent = (to: string, more: Pick<Sent, 'signedIn'> = {}): { sent: Sent } => ({
  sent: { to, at: Date.now(), ...more },
})
