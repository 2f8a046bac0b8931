import { useTexts } from '../../lib/texts/texts.ts'
import { threatTexts } from './threats.texts.ts'

const ofProduct = 'product:'

/** A function for the reasons of an assessment in words. */
export function useReasonNames(): (reason: string) => string {
  const t = useTexts(threatTexts)
  return (reason) =>
    reason.startsWith(ofProduct) ? t.reasonOfProduct(reason.slice(ofProduct.length)) : (t.reasons[reason] ?? reason)
}

/** What the assessment of a sign-in led to, as the chart of stopped sign-ins names it. */
export const assessed = { notice: 'noticed', challenge: 'challenged', refuse: 'refused' } as const

/** A function for the level of an assessment in words. */
export function useLevelNames(): (level: string) => string {
  const { series } = useTexts(threatTexts)
  return (level) => (Object.hasOwn(assessed, level) ? series[assessed[level as keyof typeof assessed]] : level)
}
