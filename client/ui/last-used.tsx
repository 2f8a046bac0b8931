import { useTexts } from '../lib/texts/texts.ts'
import { Badge } from './small.tsx'

/** Marks the way this browser came in the last time. */
export function LastUsed() {
  return <Badge tone="accent">{useTexts().lastUsed}</Badge>
}
