import type { Scope } from '../../identity/scope.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import { inWords } from '../../kit/time.ts'

export type TextPurpose = 'verify' | 'reset'

type Sentence = (code: string, app: string, lifetime: string) => string

/** In the characters of GSM 7-bit (3GPP TS 23.038), so that each fits into one segment of 160 with a short name. */
const words: InEachLanguage<Record<TextPurpose, Sentence>> = {
  en: {
    verify: (code, app, lifetime) => `${code} is your ${app} code. It is valid for ${lifetime}. Don't share it.`,
    reset: (code, app, lifetime) =>
      `${code} is your code to reset your ${app} password. It is valid for ${lifetime}. Don't share it.`,
  },
  de: {
    verify: (code, app, lifetime) =>
      `${code} ist dein Code für ${app}. Er gilt ${lifetime}. Gib ihn an niemanden weiter.`,
    reset: (code, app, lifetime) =>
      `${code} ist dein Code zum Zurücksetzen deines Passworts für ${app}. Er gilt ${lifetime}. Gib ihn an niemanden weiter.`,
  },
}

/**
 * The last line lets telephones offer the code on our pages only (origin-bound one-time codes, WICG).
 * @param lifetime of the code, in seconds
 */
export function codeText(
  scope: Pick<Scope, 'brand' | 'language' | 'settings'>,
  purpose: TextPurpose,
  { code, lifetime }: { code: string; lifetime: number },
): string {
  const sentence = words[scope.language][purpose](code, scope.brand.name, inWords(lifetime, scope.language))
  return `${sentence}\n\n@${new URL(scope.settings.baseUrl).hostname} #${code}`
}
