import { composeText, type MessageScope, readersLanguage } from '../../identity/messages/compose.ts'
import type { TextData } from '../../identity/messages/templates.ts'
import type { User } from '../../identity/model/users.table.ts'
import { type Dictionary, defineTexts } from '../../kit/texts.ts'

const names = {
  verify: 'verifyPhone',
  reset: 'resetPassword',
  'step-up': 'confirmationCode',
} as const satisfies Record<string, keyof TextData>

export type TextPurpose = keyof typeof names

/**
 * Only characters of GSM 7-bit (3GPP TS 23.038) where the language allows it, so that each text with a short name fits
 * into one segment of 160.
 */
const words = {
  verify: defineTexts('text/verifyPhone', {
    text: "{code} is your {appName} code. It is valid for {lifetime}. Don't share it.",
  }),
  'step-up': defineTexts('text/confirmationCode', {
    text: "{code} confirms a change to your {appName} account. It is valid for {lifetime}. Don't share it.",
  }),
  reset: defineTexts('text/resetPassword', {
    text: "{code} is your code to reset your {appName} password. It is valid for {lifetime}. Don't share it.",
  }),
} satisfies Record<TextPurpose, Dictionary<{ text: string }>>

/** The last line is for origin-bound one-time codes (WICG). @param own expiresIn: seconds */
export async function codeText(
  scope: MessageScope,
  purpose: TextPurpose,
  reader: Pick<User, 'language'> | null,
  own: { code: string; expiresIn: number },
): Promise<string> {
  const sentence = await composeText(scope, names[purpose], words[purpose], readersLanguage(scope, reader), own)
  return `${sentence}\n\n@${new URL(scope.settings.baseUrl).hostname} #${own.code}`
}
