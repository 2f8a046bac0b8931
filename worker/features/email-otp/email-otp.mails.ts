import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import type { Dictionary } from '../../kit/texts.ts'
import { defineMail, type MailTexts } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { CodeType } from './email-otp.contract.ts'

/** One mail per type of code. */
const names = {
  'sign-in': 'signInCode',
  'email-verification': 'verifyEmailCode',
  'forget-password': 'resetPasswordCode',
} as const satisfies Record<CodeType, keyof MailData>

const words = {
  'sign-in': defineMail('mail/signInCode', {
    subject: 'Your code to sign in to {appName}',
    heading: 'Your sign-in code',
    paragraphs: { enter: 'Enter this code where you are signing in.' },
    note: 'The code works once and is valid for {lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.',
  }),
  'email-verification': defineMail('mail/verifyEmailCode', {
    subject: 'Your code to confirm your email for {appName}',
    heading: 'Confirm your email address',
    paragraphs: { enter: 'Enter this code to show that this is your address.' },
    note: 'The code works once and is valid for {lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.',
  }),
  'forget-password': defineMail('mail/resetPasswordCode', {
    subject: 'Your code to reset your password for {appName}',
    heading: 'Choose a new password',
    paragraphs: { enter: 'Someone asked to reset the password of your account. Enter this code to choose a new one.' },
    note: 'The code works once and is valid for {lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.',
  }),
} satisfies Record<CodeType, Dictionary<MailTexts>>

/** The name of the mail for its limits. */
export const codeMailKind = (type: CodeType): string => names[type]

export const codeMail = (
  scope: MessageScope,
  type: CodeType,
  person: Reader,
  own: { code: string; expiresIn: number },
): Promise<Mail> =>
  composeMail(scope, names[type], words[type], { ...person, language: readersLanguage(scope, person) }, own)
