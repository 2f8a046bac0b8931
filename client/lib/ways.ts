import type { ComponentType } from 'react'
import type { FeatureSwitches, PublicConfig, SignInAnswer } from './auth/endpoints.ts'
import type { CallOptions, Result } from './auth/types.ts'
import type { Language } from './texts/texts.ts'

/** What a way to sign in is given by the sign-in page. */
export interface WayProps {
  /** Goes to the server with the call, if the call takes one. */
  callbackURL: string | undefined
  /** This browser came in this way the last time: show `<LastUsed />` beside the button. */
  lastUsed: boolean
  /** The page is the one that makes accounts. */
  signingUp: boolean | undefined
  /** After a success: follows what the answer says, or the callback, or goes to the account. */
  onSignedIn(answer: SignInAnswer): void
}

export interface Way {
  /** Remembered as the last used way. */
  id: string
  when(config: PublicConfig): boolean | undefined
  /** Makes an account as well: shown on the sign-up page too. */
  makesAccounts?: boolean
  /** Its height in rem, which is kept free while its code is loading; for what stands above other things. */
  height?(config: PublicConfig): number
  component: ComponentType<WayProps>
}

/** What the first field of the sign-in form takes beside an email address. */
export interface Identifier {
  id: string
  when(features: FeatureSwitches): boolean | undefined
  /** For the field's label, such as "username": "Email or username". */
  noun: Record<Language, string>
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
  /** `error` is what the server said about the field; the input carries `name`. */
  component: ComponentType<{ name: string; error: string | undefined }>
  /** The server's error codes that are told at this field, with their words. */
  errors: Record<Language, Record<string, string>>
}

export interface CaptchaProps {
  provider: NonNullable<PublicConfig['captcha']>['provider']
  siteKey: string
  /** Changes when the last answer has been used up and a new one is needed. */
  round: number
  onAnswer(token: string): void
}
