import { Mail } from 'lucide-react'
import { continuation } from '../../lib/continuation.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { magicLinkTexts } from './texts.ts'

export default function MagicLinkWay({ lastUsed }: WayProps) {
  const t = useTexts(magicLinkTexts)
  return (
    <ButtonLink to={`/sign-in/link${continuation().query}`} wide>
      <Mail aria-hidden size={18} />
      {t.way}
      {lastUsed && <LastUsed />}
    </ButtonLink>
  )
}
