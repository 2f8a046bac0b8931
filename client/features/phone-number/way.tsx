import { Smartphone } from 'lucide-react'
import { continuation } from '../../lib/continuation.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { phoneTexts } from './texts.ts'

export default function PhoneCodeWay({ lastUsed }: WayProps) {
  const t = useTexts(phoneTexts)
  return (
    <ButtonLink to={`/sign-in/phone${continuation().query}`} wide>
      <Smartphone aria-hidden size={18} />
      {t.way}
      {lastUsed && <LastUsed />}
    </ButtonLink>
  )
}
