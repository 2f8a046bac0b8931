import { useTexts } from '../lib/texts/texts.ts'

/** Marks the last used way on the upper edge of its button, so that the text keeps its place. */
export function LastUsed() {
  return (
    <span className="absolute -end-1.5 -top-2.5 rounded-full border border-accent/30 bg-accent-wash px-1.5 text-xs font-medium leading-4.5 text-accent">
      {useTexts().lastUsed}
    </span>
  )
}
