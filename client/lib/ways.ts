import type { ComponentType } from 'react'
import type { FeatureSwitches, PublicConfig, SignInAnswer, SignInMethod, WayId } from './auth/endpoints.ts'
import type { CallOptions, Result } from './auth/types.ts'
import type { UsedMethod } from './last-used.ts'

/** Props that the sign-in page passes to a way to sign in. */
export interface WayProps {
  /** Sent to the server if the call accepts it. */
  callbackURL: string | undefined
  /** This browser last signed in this way: show `<LastUsed />` next to the button. */
  lastUsed: boolean
  signingUp: boolean | undefined
  /** Called after success: follows the response, the callback, or opens the account. */
  onSignedIn(answer: SignInAnswer): void
}

export interface Way {
  id: WayId
  /** Stored as the last used method, if not the id. */
  used?: UsedMethod
  when(config: PublicConfig): boolean | undefined
  /** Creates accounts too: shown on the sign-up page. */
  makesAccounts?: boolean
  /** Sends something to an address: with `signIn.flow: 'identifier-first'`, the second step offers it. */
  forAddress?: boolean
  /** The height in rem that is reserved while the code loads, for ways above other content. */
  height?(config: PublicConfig): number
  component: ComponentType<WayProps>
  /** Loads its code. */
  load(): Promise<unknown>
}

/** An identifier that the first field of the sign-in form accepts in addition to an email address. */
export interface Identifier {
  id: SignInMethod
  when(features: FeatureSwitches): boolean | undefined
  /** For the label, such as "username" in "Email or username". */
  noun: 'username' | 'phoneNumber'
  matches(text: string): boolean
  send(
    values: { identifier: string; password: string; rememberMe: boolean; callbackURL: string | undefined },
    options: CallOptions,
  ): Promise<Result<SignInAnswer>>
}

/** A field of the sign-up form, between the email and the password. */
export interface SignUpField {
  name: string
  when(features: FeatureSwitches): boolean | undefined
  /** `error` is the server's error of the field; the input has the name `name`. */
  component: ComponentType<{ name: string; error: string | undefined }>
  /** Loads its code. */
  load(): Promise<unknown>
  /** The codes of the errors that are shown at this field. */
  errors: string[]
}
