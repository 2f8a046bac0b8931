import type { Language } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { SecurityNotice } from '../model/security-event-types.ts'

/**
 * Every mail and text message by name, with the data of its template. Names of users and organizations are on one line
 * and contain no address that a mail program would link; HTML must still escape them.
 */

/** Data of every template. */
export interface Facts {
  /** The language of the reader. */
  language: Language
  appName: string
}

interface ToUser extends Facts {
  /** The recipient's address. */
  email: string
  /** The reader's name; empty if it is unknown, or the address may not be theirs. */
  name: string
}

/** A link that expires. */
interface ByLink extends ToUser {
  url: string
  /** Seconds from now. */
  expiresIn: number
  /** The same in the reader's language: `1 hour`. */
  lifetime: string
}

/** A code that the user enters on another page. */
interface ByCode extends ToUser {
  code: string
  /** Seconds from now. */
  expiresIn: number
  /** The same in the reader's language: `5 minutes`. */
  lifetime: string
}

interface OfOrganization extends ToUser {
  organization: string
  /** Roles in a sentence of the reader's language: `an admin and a member`. */
  roles: string
  url: string
}

export interface MailData {
  /** After a sign-up, and on request. */
  verifyEmail: ByLink
  /** To the current address, when a change is requested. */
  changeEmail: ByLink & { newEmail: string }
  /** To the new address. */
  confirmNewEmail: ByLink
  /** A link to a new password. */
  resetPassword: ByLink
  /** A link to the first password of a user whom a server created without one. */
  firstPassword: ByLink
  /** To the owner of an address, after another sign-up with it; in the strict profile. */
  accountExists: ToUser & { url: string }
  /** A link that confirms the deletion of the account. */
  deleteAccount: ByLink
  /** A link that signs in. */
  magicLink: ByLink
  /** A code that signs in. */
  signInCode: ByCode
  /** A code that verifies the address. */
  verifyEmailCode: ByCode
  /** A code for a new password. */
  resetPasswordCode: ByCode
  /** The code of the second factor. */
  twoFactorCode: ByCode
  /** To a user who confirms a sensitive change inside a session. */
  confirmationCode: ByCode
  /** To an address that a user enters because the provider returned none. */
  providerAddressCode: ByCode & { provider: string }
  /** `inviterEmail` is null while it is unproven. */
  invitation: OfOrganization & { inviter: string; inviterEmail: string | null; expiresAt: Date }
  /** To the inviter. `memberEmail` is null while it is unproven. */
  invitationAccepted: OfOrganization & { member: string; memberEmail: string | null }
  /** To a member whose role in an organization has changed. */
  roleChanged: OfOrganization
  /** To an owner of an organization whose single sign-on has changed. `change` is a sentence. */
  singleSignOn: Omit<OfOrganization, 'roles'> & { change: string }
  /**
   * To an owner of an organization whose stream of the audit log was paused after failures. For a stream of the deployment, to
   * administrators, and `organization` is the name of the product.
   */
  auditStreamPaused: Omit<OfOrganization, 'roles'> & { stream: string }
  /** To administrators, before the directories of the deployment are full. `percent` is a number in digits. */
  directoriesNearlyFull: ToUser & { percent: string; url: string }
  /** To administrators, at each level of a nearly full database. `percent` is a number in digits. */
  databaseNearlyFull: ToUser & { percent: string; url: string }
  /** To administrators, once a day at most, when an attack begins. `network` is null for many networks. */
  attackBegan: ToUser & { network: string | null; url: string }
  /** To a user who was removed from an organization. */
  memberRemoved: Omit<OfOrganization, 'roles' | 'url'>
  /** To a user whose approval an application or an agent asks for. */
  approvalRequest: ToUser & {
    /** The name of the application or agent. */
    client: string
    /** Its binding message. */
    message: string | null
    /** The permissions in words, joined by semicolons. */
    what: string | null
    url: string
    expiresAt: Date
  }
  /**
   * To the owner of an account whose access has changed. `device` and `place` are null if they are unknown or the
   * address is unproven. `url` leads to the security page, or until `revertsUntil` reverts a change of address.
   */
  securityNotice: ToUser & {
    event: SecurityNotice
    device: string | null
    place: string | null
    at: Date
    url: string
    revertsUntil: Date | null
  }
}

export interface TextData {
  /** A code that proves a phone number, also at a sign-in. */
  verifyPhone: Facts & { code: string; expiresIn: number; lifetime: string }
  /** A code that confirms a sensitive change inside a session. */
  confirmationCode: Facts & { code: string; expiresIn: number; lifetime: string }
  /** A code for a new password. */
  resetPassword: Facts & { code: string; expiresIn: number; lifetime: string }
  /** To the owner of an account that has no proven address. */
  securityNotice: Facts & { event: SecurityNotice; url: string }
}

export type MailName = keyof MailData
export type TextName = keyof TextData

/** For the validation of a configuration; the compiler finds a missing name. */
export const mailNames = Object.keys({
  verifyEmail: true,
  changeEmail: true,
  confirmNewEmail: true,
  resetPassword: true,
  firstPassword: true,
  accountExists: true,
  deleteAccount: true,
  magicLink: true,
  signInCode: true,
  verifyEmailCode: true,
  resetPasswordCode: true,
  twoFactorCode: true,
  confirmationCode: true,
  providerAddressCode: true,
  invitation: true,
  invitationAccepted: true,
  roleChanged: true,
  memberRemoved: true,
  singleSignOn: true,
  auditStreamPaused: true,
  directoriesNearlyFull: true,
  databaseNearlyFull: true,
  attackBegan: true,
  approvalRequest: true,
  securityNotice: true,
} satisfies Record<MailName, true>)

export const textNames = Object.keys({
  verifyPhone: true,
  confirmationCode: true,
  resetPassword: true,
  securityNotice: true,
} satisfies Record<TextName, true>)

/** A mail with a layout of the product, which escapes the values in `html`. */
export interface WholeMail {
  subject: string
  text: string
  html: string
}

/**
 * The result of a template: texts for the default layout, each of them optional; a whole mail; or nothing for the
 * default mail, for example in a language that the product does not support.
 */
export type MailContent = Partial<MailWords> | WholeMail | undefined

export type MailTemplates = { [N in MailName]?: (data: MailData[N]) => MailContent }

/** The text of a text message, before the last line with a code for the phone; undefined: the default. */
export type TextTemplates = { [N in TextName]?: (data: TextData[N]) => string | undefined }
