import { composeText, type MessageScope, readersLanguage } from '../../identity/messages/compose.ts'
import type { TextData } from '../../identity/messages/templates.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { InEachLanguage } from '../../kit/language.ts'

/** Texts are named by what their code is for. */
const names = { verify: 'verifyPhone', reset: 'resetPassword' } as const satisfies Record<string, keyof TextData>

export type TextPurpose = keyof typeof names

type Words = InEachLanguage<(data: TextData[(typeof names)[TextPurpose]]) => string>

/** In the characters of GSM 7-bit (3GPP TS 23.038), so that each fits into one segment of 160 with a short name. */
const words: Record<TextPurpose, Words> = {
  verify: {
    en: ({ code, appName, lifetime }) =>
      `${code} is your ${appName} code. It is valid for ${lifetime}. Don't share it.`,
    de: ({ code, appName, lifetime }) =>
      `${code} ist dein Code für ${appName}. Er gilt ${lifetime}. Gib ihn an niemanden weiter.`,
  },
  reset: {
    en: ({ code, appName, lifetime }) =>
      `${code} is your code to reset your ${appName} password. It is valid for ${lifetime}. Don't share it.`,
    de: ({ code, appName, lifetime }) =>
      `${code} ist dein Code zum Zurücksetzen deines Passworts für ${appName}. Er gilt ${lifetime}. Gib ihn an niemanden weiter.`,
  },
}

/**
 * The last line lets telephones offer the code on our pages only (origin-bound one-time codes, WICG).
 * @param reader whose number it is, where that is known
 * @param own expiresIn: seconds
 */
export function codeText(
  scope: MessageScope,
  purpose: TextPurpose,
  reader: Pick<User, 'language'> | null,
  own: { code: string; expiresIn: number },
): string {
  const sentence = composeText(scope, names[purpose], words[purpose], readersLanguage(scope, reader), own)
  return `${sentence}\n\n@${new URL(scope.settings.baseUrl).hostname} #${own.code}`
}
