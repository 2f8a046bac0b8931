import { useTexts } from '../../lib/texts/texts.ts'
import { threatTexts } from './threats.texts.ts'

const ofProduct = 'product:'

/** A function for the reasons of an assessment in words. */
export function useReasonNames(): (reason: string) => string {
  const t = useTexts(threatTexts)
  return (reason) =>
    reason.startsWith(ofProduct) ? t.reasonOfProduct(reason.slice(ofProduct.length)) : (t.reasons[reason] ?? reason)
}
