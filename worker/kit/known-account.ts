/** An account that has signed in with this browser, as the sign-in shows it. */
export interface KnownAccount {
  id: string
  /** The first word of the name. */
  name: string | null
  /** A part of the address or number. */
  hint: string
  /** Of the last sign-in: a method, the id of a provider, or `sso`. */
  method: string
}
