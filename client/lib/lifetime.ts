import { useConfig } from './api.ts'
import type { Lifetime } from './auth/endpoints.ts'
import { inWords } from './in-words.ts'
import { useLanguage } from './texts/texts.ts'

/** How long a link or a code of this kind lives, in words; nothing before the server has said it. */
export function useLifetime(kind: Lifetime): string {
  const { lifetimes } = useConfig()
  const language = useLanguage()
  const duration = lifetimes?.[kind]
  return duration === undefined ? '…' : inWords(duration, language)
}
