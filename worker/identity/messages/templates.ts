import type { Language } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'

/**
 * Every mail and text message by its name, with what its template is told. Whatever people have chosen themselves (names,
 * of organizations too) is on one line and holds no address that a mail program would link; HTML still has to escape it.
 */

/** What every template is told. */
export interface Facts {
  /** The reader's. */
  language: Language
  appName: string
}

interface ToPerson extends Facts {
  /** The address that the mail goes to. */
  email: string
  /** What the reader calls themselves; empty where it is not known, or the address may not be theirs. */
  name: string
}

/** A link that ends. */
interface ByLink extends ToPerson {
  url: string
  /** Seconds from now. */
  expiresIn: number
  /** The same in the reader's language: `1 hour`. */
  lifetime: string
}

/** A code to be typed elsewhere. */
interface ByCode extends ToPerson {
  code: string
  /** Seconds from now. */
  expiresIn: number
  /** The same in the reader's language: `5 minutes`. */
  lifetime: string
}

interface OfOrganization extends ToPerson {
  organization: string
  /** Roles as a sentence of the reader's language names them: `an admin and a member`. */
  roles: string
  url: string
}

export interface MailData {
  /** After signing up, and whenever somebody asks for it again. */
  verifyEmail: ByLink
  /** To the address in force, when somebody wants to change it. */
  changeEmail: ByLink & { newEmail: string }
  /** To the address that is to come. */
  confirmNewEmail: ByLink
  resetPassword: ByLink
  /** To whom an address belongs with which somebody signs up again; in the strict profile. */
  accountExists: ToPerson & { url: string }
  deleteAccount: ByLink
  magicLink: ByLink
  signInCode: ByCode
  verifyEmailCode: ByCode
  resetPasswordCode: ByCode
  twoFactorCode: ByCode
  /** To an address that somebody gives who comes by a provider that told none. */
  providerAddressCode: ByCode & { provider: string }
  /** `inviterEmail` is null while it is not known to be theirs. */
  invitation: OfOrganization & { inviter: string; inviterEmail: string | null; expiresAt: Date }
  /** To the inviter. `memberEmail` is null while it is not known to be theirs. */
  invitationAccepted: OfOrganization & { member: string; memberEmail: string | null }
  roleChanged: OfOrganization
  memberRemoved: Omit<OfOrganization, 'roles' | 'url'>
}

export interface TextData {
  /** A code that proves a telephone number, to sign in with it as well. */
  verifyPhone: Facts & { code: string; expiresIn: number; lifetime: string }
  resetPassword: Facts & { code: string; expiresIn: number; lifetime: string }
}

export type MailName = keyof MailData
export type TextName = keyof TextData

/** For the check of a configuration; the compiler sees to it that none is missing. */
export const mailNames = Object.keys({
  verifyEmail: true,
  changeEmail: true,
  confirmNewEmail: true,
  resetPassword: true,
  accountExists: true,
  deleteAccount: true,
  magicLink: true,
  signInCode: true,
  verifyEmailCode: true,
  resetPasswordCode: true,
  twoFactorCode: true,
  providerAddressCode: true,
  invitation: true,
  invitationAccepted: true,
  roleChanged: true,
  memberRemoved: true,
} satisfies Record<MailName, true>)

export const textNames = Object.keys({ verifyPhone: true, resetPassword: true } satisfies Record<TextName, true>)

/** A mail that a product lays out by itself. It escapes what it puts into `html`. */
export interface WholeMail {
  subject: string
  text: string
  html: string
}

/**
 * What a template answers: words for our layout, of which it may leave out any (ours stand there then); a whole mail;
 * or nothing, which leaves the mail as it is, for example in a language that the product does not write.
 */
export type MailContent = Partial<MailWords> | WholeMail | undefined

export type MailTemplates = { [N in MailName]?: (data: MailData[N]) => MailContent }

/** What a text message says before its last line, which holds the code for the telephone; undefined: our words. */
export type TextTemplates = { [N in TextName]?: (data: TextData[N]) => string | undefined }
