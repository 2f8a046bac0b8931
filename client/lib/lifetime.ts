import { inWords } from '../../worker/kit/time.ts'
import { useConfig } from './api.ts'
import type { Lifetime } from './auth/endpoints.ts'
import { useLanguage } from './texts/texts.ts'

/** The lifetime of a kind of link or code, such as "5 minutes". */
export function useLifetime(kind: Lifetime): string {
  const { lifetimes } = useConfig()
  const language = useLanguage()
  const duration = lifetimes[kind]
  return duration === undefined ? '…' : inWords(duration, language)
}
