import { useTarget } from '../lib/target.ts'
import { useTexts } from '../lib/texts/texts.ts'

/** "to continue to Photo Album", on a screen whose introduction says something else. */
export function ToContinue() {
  const t = useTexts()
  const target = useTarget()
  return target && <p className="-mt-4 text-center text-balance text-soft">{t.toContinueTo(target)}</p>
}
